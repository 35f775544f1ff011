export * from "./actionSecrets/ActionSecret.ts"
export * from "./actionVariables/ActionVariable.ts"
export * from "./artifacts/Artifact.ts"
export * as ArtifactErrors from "./artifacts/errors.ts"
export { ArtifactExists, ArtifactNotFound, ArtifactRefused, ArtifactsFull } from "./artifacts/errors.ts"
export * as ArtifactLinks from "./artifacts/links.ts"
export { type LinkHolder, type SignedLink, sign } from "./artifacts/links.ts"
export * from "./artifacts/runtimeToken.ts"
export * as Reaches from "./runners/Reach.ts"
export {
  filterOf,
  type Holder,
  inOwner,
  inRepository,
  isIn,
  type Place,
  PlaceFull,
  placeOf,
  type Reach,
  site
} from "./runners/Reach.ts"
export * from "./runners/Runner.ts"
export {
  ActionSettingInvalid,
  checkNamed,
  longestDescription,
  ownerOfPlace,
  scopeOf as actionSettingScope,
  storedName,
  valuesForJobs
} from "./runners/secretsAndVariables.ts"
export { jobsInAttempt, runInAttempt } from "./workflows/attempts.ts"
export { contextInput, githubContext, refName } from "./workflows/context.ts"
export { type Budget, makeBudget, type Scope as ExpressionScope, textOf } from "./workflows/expressions/values.ts"
export {
  type Contexts,
  evaluateText,
  evaluateTexts,
  interpolate,
  scopeOf as expressionScopeOf,
  valueOf
} from "./workflows/expressions.ts"
export type { Failures as StartFailures } from "./workflows/failures.ts"
export * as WorkflowFailures from "./workflows/failures.ts"
export { inputsIn, inputTexts, inputTypes, typedInputs, typedValues } from "./workflows/inputs.ts"
export { closedMatrix, isKnownLater } from "./workflows/matrices.ts"
export { combinationsOf, valuesShown } from "./workflows/matrix.ts"
export { outputsWith } from "./workflows/outputs.ts"
export { isRecord, textOf as textOfInPlain } from "./workflows/plainValues.ts"
export {
  conclusionOf,
  type JobChange,
  type JobDecisionInput,
  type JobState,
  releaseJobs,
  resultsOf,
  runStateOf
} from "./workflows/progress.ts"
export { isPersistent, readWorkflow } from "./workflows/readWorkflow.ts"
export { withInputs } from "./workflows/replaceInputs.ts"
export {
  type CallJob,
  callHolds,
  callOutputs,
  inputsAround,
  type RunFacts,
  scopeAround,
  secretsAround,
  workflowAround
} from "./workflows/reusableWorkflows.ts"
export { cutText, isStorable } from "./workflows/storableText.ts"
export { type Trigger, triggersOf } from "./workflows/triggers/triggerEvents.ts"
export {
  includesChangedFile,
  needsChangedFiles,
  startedBy,
  type TriggerEvent as WorkflowHappening
} from "./workflows/triggers/triggers.ts"
export { settledTurns, type TurnState, waitsForItself } from "./workflows/turns.ts"
export {
  type Call,
  type CallSignature,
  type Concurrency,
  type CronSchedule,
  deepestCall,
  deepestRun,
  type JobPlan,
  largestWorkflow,
  longestGroup,
  longestValues,
  longestWorkflow,
  mostAttempts,
  mostByRun,
  mostCalled,
  mostJobs,
  mostSchedules,
  mostWorkflows,
  type PlainRecord,
  type PlainValue,
  type Workflow,
  type WorkflowInput
} from "./workflows/Workflow.ts"
export * from "./workflows/WorkflowJob.ts"
export * from "./workflows/WorkflowQueue.ts"
export * from "./workflows/WorkflowReader.ts"
export * from "./workflows/WorkflowRun.ts"
export * from "./workflows/WorkflowSearch.ts"
export { workflowOfJob } from "./workflows/workflowOfJob.ts"
