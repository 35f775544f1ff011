import type {
  ActionSecretNotFound,
  ActionSettingInvalid,
  ActionVariableNotFound,
  ActionVariableTaken,
  PlaceFull,
  RunnerNotFound
} from "@slipway/domain/forge/automation"
import { conflict, forbidden, invalid, missing } from "./errorParts.ts"

/** Converts the domain errors of workflows (secrets, variables, runners, runs) to HTTP error bodies. */
export const actionsErrors = {
  ActionSecretNotFound: (_: ActionSecretNotFound) => missing,
  ActionVariableNotFound: (_: ActionVariableNotFound) => missing,
  ActionVariableTaken: ({ name }: ActionVariableTaken) => conflict(`the variable \`${name}\` already exists`),
  ActionSettingInvalid: ({ field, problem }: ActionSettingInvalid) => invalid(field, problem),
  PlaceFull: ({ most, of }: PlaceFull) => forbidden(`at most ${most} ${of} are allowed here`),
  RunnerNotFound: (_: RunnerNotFound) => missing
} as const
