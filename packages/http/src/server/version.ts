import { Context } from "effect"

/** The version of the running program, provided by the program itself. */
export const ProgramVersion = Context.Reference<string>("@slipway/http/ProgramVersion", {
  defaultValue: () => "development"
})
