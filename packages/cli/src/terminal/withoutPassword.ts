/** Returns the address of a database without its password, to print it. Another text is unchanged. */
export const withoutPassword = (address: string): string =>
  address.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1:…@")
