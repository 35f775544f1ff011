import type { ActionWorkflow, Repository } from "@slipway/client/forge"
import { icon } from "../../assets/icons.ts"
import { checkField, formTo, problemSummary, selectField, textField } from "../../forms/fields.ts"
import { rejectedAt } from "../../forms/formProblems.ts"
import { type Html, html } from "../../html/Html.ts"
import { card } from "../../layout/components.ts"
import { withQuery } from "../../layout/urls.ts"
import { typed } from "../../page/FormState.ts"
import type { Submitted, Visit } from "../../page/Page.ts"
import { namedIn } from "../code/revision.ts"

/** The API operations of the form that starts a workflow manually. */
export const dispatchOperations = [
  "repository.actions.workflow.read",
  "repository.actions.workflow.dispatch",
  "repository.environment.list"
] as const

type Input = NonNullable<ActionWorkflow["dispatch_inputs"]>[number]

/**
 * Returns the name of the form field for a workflow input, by its position. Input names may contain any characters, so
 * they cannot be field names.
 */
const fieldOf = (at: number): string => `input-${at}`

/**
 * Loads the names of the environments if an input of the workflow has the type environment. Returns undefined if the
 * viewer may not list them.
 */
export const loadEnvironments = async (
  visit: Visit,
  workflow: ActionWorkflow | undefined
): Promise<ReadonlyArray<string> | undefined> => {
  if (workflow?.dispatch_inputs?.some(({ type }) => type === "environment") !== true) return undefined
  const found = await visit.forge.repository.environment.list({ params: namedIn(visit), query: { limit: 50 } }).result()
  return found.ok ? found.value.map(({ name }) => name) : undefined
}

const inputField = (visit: Visit, input: Input, at: number, environments: ReadonlyArray<string> | undefined): Html => {
  const { default: value, description, name, options, required, type } = input
  const field = {
    name: fieldOf(at),
    label: name,
    value,
    required,
    ...(description === "" ? {} : { hint: description })
  }
  if (type === "boolean") return checkField(visit, { ...field, checked: value === "true" })
  const choices = type === "choice" ? options : type === "environment" ? environments : undefined
  if (choices === undefined)
    return textField(visit, { ...field, type: type === "number" ? "number" : "text", decimals: type === "number" })
  const none = required || choices.includes("") ? [] : [{ value: "", label: visit.texts.automation.noValue }]
  return selectField(visit, {
    ...field,
    options: [...none, ...choices.map((each) => ({ value: each, label: each }))]
  })
}

/**
 * Returns the branch or tag in the URL, from which the form takes the inputs of the workflow. Empty for the default
 * branch.
 */
const shownRef = ({ query }: Visit): string => query.get("ref") ?? ""

/** Reads a workflow from a branch or tag. If `ref` is empty, reads it from the default branch. */
const workflowAt = (visit: Visit, workflow: string, ref: string) =>
  visit.forge.repository.actions.workflow.read({
    params: { ...namedIn(visit), workflow_id: workflow },
    query: ref === "" ? {} : { ref }
  })

/** Loads the workflow that the form starts, from the branch or tag in the URL. */
export const loadDispatched = async (
  visit: Visit,
  workflow: ActionWorkflow | undefined
): Promise<ActionWorkflow | undefined> => {
  const ref = shownRef(visit)
  return workflow === undefined || ref === "" ? workflow : await workflowAt(visit, workflow.id, ref)
}

/** Renders the form that starts a workflow. Each input has a field of its declared type. */
export const dispatchForm = (
  visit: Visit,
  repository: Repository,
  { dispatch_inputs: inputs }: ActionWorkflow,
  environments: ReadonlyArray<string> | undefined
): Html => {
  const { automation } = visit.texts
  return card(
    automation.runWorkflow,
    html`<div class="body">${problemSummary(visit)}${formTo(
      visit,
      withQuery(visit.url, { page: undefined }),
      html`${textField(visit, { name: "ref", label: automation.ref, value: shownRef(visit) || repository.default_branch, required: true })}
${(inputs ?? []).map((input, at) => inputField(visit, input, at, environments))}
<div class="row"><button class="button primary" name="do" value="dispatch">${icon("play")}${automation.runWorkflow}</button><button class="button" name="do" value="inputs" formnovalidate>${automation.showInputs}</button></div>`
    )}</div>`
  )
}

/** Returns the typed inputs. If an optional field is empty, the input is an empty text, not its default value. */
const valuesIn = ({ form }: Visit, inputs: ReadonlyArray<Input>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    inputs.map(({ name, type }, at) => {
      const value = typed(form, fieldOf(at))
      return [name, type === "boolean" ? String(value === "on") : value]
    })
  )

/**
 * Returns the error messages for fields that are empty although they are required, or that have a value of another
 * type.
 */
const problemsIn = (visit: Visit, inputs: ReadonlyArray<Input>): Readonly<Record<string, string>> => {
  const { automation, forms } = visit.texts
  return Object.fromEntries(
    inputs.flatMap(({ required, type }, at) => {
      const field = fieldOf(at)
      const value = typed(visit.form, field).trim()
      if (value === "") return required && type !== "boolean" ? [[field, forms.required]] : []
      return type === "number" && !Number.isFinite(Number(value)) ? [[field, automation.numberWrong]] : []
    })
  )
}

/** Starts a workflow with the typed inputs. */
export const dispatch = async (visit: Visit, workflow: string): Promise<Submitted> => {
  const { form, forge, texts } = visit
  const ref = typed(form, "ref").trim()
  if (ref === "") return { problems: { ref: texts.forms.required } }
  const found = await workflowAt(visit, workflow, ref).result()
  if (!found.ok && found.error.status !== 404) throw found.error
  const inputs = found.ok ? found.value.dispatch_inputs : null
  if (inputs === null) return { problems: { ref: texts.automation.refMissing } }
  if (typed(form, "do") === "inputs") return { to: withQuery(visit.url, { ref, page: undefined }) }
  // Fields have the numbers of the inputs that the page showed, and another branch may declare other inputs.
  if (ref !== shownRef(visit)) {
    const shown = await workflowAt(visit, workflow, shownRef(visit))
    if (JSON.stringify(shown.dispatch_inputs) !== JSON.stringify(inputs))
      return { problems: { ref: texts.automation.otherInputs } }
  }
  const problems = problemsIn(visit, inputs)
  if (Object.keys(problems).length > 0) return { problems }
  const params = { ...namedIn(visit), workflow_id: workflow }
  const body = { ref, inputs: valuesIn(visit, inputs) }
  const started = await forge.repository.actions.workflow.dispatch({ params, body }).result()
  if (started.ok) return { to: withQuery(visit.url, { page: undefined }) }
  if (started.error.status === 404) return { problems: { ref: texts.automation.refMissing } }
  return rejectedAt(started.error, { inputs: "", workflow: "" })
}
