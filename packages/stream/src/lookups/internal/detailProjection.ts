/** Declares the option `projection` of `Resolve` and `Suspects`, which request detail records. */
import { Details as rows } from "@chemstream/api"
import { Options } from "@chemstream/batch"
import type * as Details from "../Details.ts"

/** A projection of detail records. */
export const detailProjection: Options.Kind<keyof Details.Forms> = Options.oneOf(
  Object.keys(rows.byDtxsid.forms) as ReadonlyArray<keyof Details.Forms>
)
