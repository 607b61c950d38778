/** The addresses that servers listen on. */
import { Flag } from "effect/cli"

/** Only this machine reaches a server there. */
export const loopback = "127.0.0.1"

/** The option for the address that a server listens on. */
export const host = (name: string, description: string): Flag.Flag<string> =>
  Flag.String(name).pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withDescription(`${description} [default: ${loopback}]`),
    Flag.filter(
      (value) => value.trim() !== "",
      () => `an address, e.g. ${loopback}`
    ),
    Flag.withDefault(loopback)
  )

/** The option for the address of the server that `--NAME-port` starts. */
export const hostOfPort = (name: string): Flag.Flag<string> =>
  host(`${name}-host`, `Address of --${name}-port; 0.0.0.0 for every network, e.g. in a container`)
