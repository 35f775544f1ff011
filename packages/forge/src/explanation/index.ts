export {
  type AccessChecked,
  AccessCheckInvalid,
  type AccessPairAsked,
  checkAccess,
  mostChecks
} from "./check/AccessCheck.ts"
export * as AccessPreview from "./effective-access/AccessPreview.ts"
export * as EffectiveAccesses from "./effective-access/EffectiveAccesses.ts"
export {
  type AccessExplanation,
  type AccessQuestion,
  AccessQuestionInvalid,
  explainAccess,
  listAccess,
  parseResource,
  ResourceNotFound
} from "./explain/AccessExplanation.ts"
export * as AccessObjects from "./explain/AccessObjects.ts"
export * as AccessSubjects from "./explain/AccessSubjects.ts"
