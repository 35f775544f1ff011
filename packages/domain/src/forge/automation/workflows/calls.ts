import { problemOf } from "./expressions.ts"
import { inputsIn } from "./inputs.ts"
import { type Complain, isRecord, textOf } from "./plainValues.ts"
import type { Call, CallSignature, PlainRecord, PlainValue } from "./Workflow.ts"

const place = "on.workflow_call"
const pathForm = /^\.\/(\.(?:forgejo|gitea|github)\/workflows\/[^/]+\.ya?ml)$/
const secretForm = /^[A-Za-z_]\w{0,254}$/

/** The maximum number of inputs, of secrets and of outputs of a reusable workflow. */
const mostNames = 100

const mapIn = (value: PlainValue | undefined, at: string, complain: Complain): PlainRecord => {
  if (value === undefined || value === null) return {}
  if (!isRecord(value)) complain(at, "must be a map")
  else if (Object.keys(value).length > mostNames) complain(at, `must have at most ${mostNames} names`)
  return isRecord(value) ? value : {}
}

const silently: Complain = () => undefined

const checkNames = (text: PlainValue, at: string, names: ReadonlyArray<string>, complain: Complain) => {
  if (complain === silently) return
  const problem = typeof text === "string" ? problemOf(text, names) : undefined
  if (problem !== undefined) complain(at, problem)
}

/**
 * Parses the inputs, secrets and outputs under `workflow_call` of a reusable workflow; reports problems to `complain`.
 */
export const readCallSignature = (value: PlainValue | undefined, complain: Complain = silently): CallSignature => {
  const signature = mapIn(value, place, complain)
  const secrets = Object.entries(mapIn(signature.secrets, `${place}.secrets`, complain)).map(([name, secret]) => {
    if (!secretForm.test(name)) complain(`${place}.secrets`, "must have names of letters, digits and `_`")
    return [name, { required: isRecord(secret) && secret.required === true }] as const
  })
  const outputs = Object.entries(mapIn(signature.outputs, `${place}.outputs`, complain)).map(([name, output]) => {
    const text = isRecord(output) ? textOf(output.value) : undefined
    if (text === undefined) complain(`${place}.outputs.${name}.value`, "must be a text")
    checkNames(text ?? "", `${place}.outputs.${name}.value`, ["inputs", "jobs", "vars"], complain)
    return [name, text ?? ""] as const
  })
  return {
    inputs: inputsIn(mapIn(signature.inputs, `${place}.inputs`, complain), `${place}.inputs`, complain),
    secrets: Object.fromEntries(secrets),
    outputs: Object.fromEntries(outputs)
  }
}

const secretsIn = (value: PlainValue | undefined, at: string, complain: Complain): Call["secrets"] => {
  if (value === "inherit") return "inherit"
  const named = Object.entries(mapIn(value, at, complain)).map(([name, secret]) => {
    const text = textOf(secret)
    if (text === undefined || !secretForm.test(name))
      complain(`${at}.${name}`, "must be a string, with a name of letters, digits and `_`")
    checkNames(text ?? "", `${at}.${name}`, ["inputs", "matrix", "needs", "secrets", "vars"], complain)
    return [name, text ?? ""] as const
  })
  return Object.fromEntries(named)
}

/** Checks the condition (`if`) of a job for which the server, not a runner, evaluates it; reports unknown names. */
export const checkCondition = (written: PlainRecord, at: string, complain: Complain) => {
  const condition = textOf(written.if) ?? ""
  const problem =
    condition === "" ? undefined : problemOf(condition, ["inputs", "needs", "vars"], { isCondition: true })
  if (problem !== undefined) complain(`${at}.if`, problem)
}

/** Parses a job that calls a reusable workflow; its steps and runner labels are ignored. */
export const callIn = (written: PlainRecord, at: string, complain: Complain = silently): Call => {
  const [, path] = pathForm.exec(textOf(written.uses) ?? "") ?? []
  if (path === undefined) {
    complain(
      `${at}.uses`,
      "must be a workflow of the same repository, as `./.forgejo/workflows/x.yml`: workflows of other repositories cannot be called"
    )
  }
  const inputs = mapIn(written.with, `${at}.with`, complain)
  for (const [name, value] of Object.entries(inputs)) {
    if (textOf(value ?? undefined) === undefined)
      complain(`${at}.with.${name}`, "must be a string, a number or a boolean")
    checkNames(value, `${at}.with.${name}`, ["inputs", "matrix", "needs", "vars"], complain)
  }
  checkCondition(written, at, complain)
  return { path: path ?? "", inputs, secrets: secretsIn(written.secrets, `${at}.secrets`, complain) }
}
