/** The addresses and the port that servers listen on. */
import { Flag } from "effect/cli"

/** The default port of `chemstream serve`, and of the base URL of all other commands. */
export const defaultPort = 8765

/** Only this machine reaches a server there. */
export const loopback = "127.0.0.1"

/** The URL of `chemstream serve` on this machine. */
export const defaultBaseUrl = `http://${loopback}:${defaultPort}`

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
