/** The argument with the name of a harvest, and its rule: any text that is not blank. */
import { Argument } from "effect/cli"

export const name = Argument.String("NAME").pipe(
  Argument.withDescription("The name of the harvest"),
  Argument.filter(
    (text) => text.trim() !== "",
    () => "a name"
  )
)
