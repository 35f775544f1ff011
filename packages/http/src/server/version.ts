import { Context } from "effect"

/** The version of the running program. */
export const ProgramVersion = Context.Reference<string>("@slipway/http/ProgramVersion", { defaultValue: () => "0.1.0" })
