/**
 * Returns the address of a database without its password, to print it: that before the host, and those of its parameters. Another text is
 * unchanged.
 */
export const withoutPassword = (address: string): string =>
  /^postgres(ql)?:\/\//.test(address)
    ? address.replace(/^(\w+:\/\/[^:@/?#]*):.*@/, "$1:…@").replace(/([?&](?:ssl)?password=)[^&#]*/gi, "$1…")
    : address
