import type {
  ActionSecretNotFound,
  ActionSettingInvalid,
  ActionVariableNotFound,
  ActionVariableTaken,
  PlaceFull,
  RunnerNotFound
} from "@slipway/domain/forge/automation"
import { conflict, forbidden, invalid, missing } from "./errorParts.ts"

/** The domain errors of actions, as they are on the wire. */
export const actionsErrors = {
  ActionSecretNotFound: (_: ActionSecretNotFound) => missing,
  ActionVariableNotFound: (_: ActionVariableNotFound) => missing,
  ActionVariableTaken: ({ name }: ActionVariableTaken) => conflict(`there is a variable \`${name}\` already`),
  ActionSettingInvalid: ({ field, problem }: ActionSettingInvalid) => invalid(field, problem),
  PlaceFull: ({ most, of }: PlaceFull) => forbidden(`there may be at most ${most} ${of} here`),
  RunnerNotFound: (_: RunnerNotFound) => missing
} as const
