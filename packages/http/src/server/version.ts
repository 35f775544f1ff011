import { Context } from "effect"

/** The version of the running program, which the program itself provides. */
export const ProgramVersion = Context.Reference<string>("@slipway/http/ProgramVersion", {
  defaultValue: () => "development"
})
