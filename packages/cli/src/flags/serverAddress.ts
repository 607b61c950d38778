/** The addresses that servers listen on. */
import { Flag } from "effect/cli"

/** Only this machine reaches a server there. */
export const loopback = "127.0.0.1"

/** The option for the address of the server that `--NAME-port` starts. */
export const host = (name: string): Flag.Flag<string> =>
  Flag.String(`${name}-host`).pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withDescription(
      `Address of --${name}-port; 0.0.0.0 for every network, e.g. in a container [default: ${loopback}]`
    ),
    Flag.filter(
      (value) => value.trim() !== "",
      () => `an address, e.g. ${loopback}`
    ),
    Flag.withDefault(loopback)
  )
