import { Result } from "effect"
import { type Complain, isRecord, textOf, textsIn } from "./plainValues.ts"
import type { PlainRecord, PlainValue, WorkflowInput } from "./Workflow.ts"

/** The possible types of workflow inputs. */
export const inputTypes = ["boolean", "choice", "environment", "number", "string"] as const
const inputIn = (value: PlainValue | undefined, place: string, complain: Complain): WorkflowInput => {
  const inputs = isRecord(value) ? value : {}
  if (value !== null && !isRecord(value)) complain(place, "must be a map")
  const type = inputTypes.find((each) => each === inputs.type)
  if (inputs.type !== undefined && type === undefined) {
    complain(`${place}.type`, `must be one of ${inputTypes.join(", ")}`)
  }
  return {
    type: type ?? "string",
    description: textOf(inputs.description) ?? "",
    required: inputs.required === true,
    default: textOf(inputs.default) ?? "",
    options: inputs.options === undefined ? [] : textsIn(inputs.options, `${place}.options`, complain)
  }
}

/** Parses the inputs that a workflow declares; reports problems to `complain`. */
export const inputsIn = (
  value: PlainValue | undefined,
  place: string,
  complain: Complain
): Readonly<Record<string, WorkflowInput>> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).map(([name, input]) => [
      name,
      inputIn(input, `${place}.${name}`, complain)
    ])
  )

const answerOf = (input: WorkflowInput, value: string | undefined): string | undefined => {
  const text = value ?? input.default
  if (text === "") return input.required ? undefined : text
  if (input.type === "boolean") return text === "true" || text === "false" ? text : undefined
  if (input.type === "number") return text.trim() !== "" && Number.isFinite(Number(text)) ? text : undefined
  return input.type === "choice" && !input.options.includes(text) ? undefined : text
}

/**
 * Returns the value of each input as text, with defaults for omitted inputs; fails with the name of the first input
 * that has an invalid value.
 */
export const inputTexts = (
  inputs: Readonly<Record<string, WorkflowInput>>,
  values: Readonly<Record<string, string>>
): Result.Result<Readonly<Record<string, string>>, string> => {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(inputs, name))
  if (unknown !== undefined) return Result.fail(unknown)
  const texts: Array<readonly [string, string]> = []
  for (const [name, input] of Object.entries(inputs)) {
    const text = answerOf(input, Object.hasOwn(values, name) ? values[name] : undefined)
    if (text === undefined) return Result.fail(name)
    texts.push([name, text])
  }
  return Result.succeed(Object.fromEntries(texts))
}

/**
 * Converts the texts of inputs to the values of the context `inputs`: booleans and numbers have their own type.
 *
 * In `github.event.inputs`, all values stay texts, as runners expect.
 */
export const typedInputs = (
  inputs: Readonly<Record<string, WorkflowInput>>,
  texts: Readonly<Record<string, string>>
): PlainRecord =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const type = inputs[name]?.type
      if (type === "boolean") return [name, text === "true"]
      return [name, type === "number" && text !== "" ? Number(text) : text]
    })
  )

/** Returns the values of inputs with their types; fails with the name of the first input that has an invalid value. */
export const typedValues = (
  inputs: Readonly<Record<string, WorkflowInput>>,
  values: Readonly<Record<string, string>>
): Result.Result<PlainRecord, string> => Result.map(inputTexts(inputs, values), (texts) => typedInputs(inputs, texts))
