import {
  formSection,
  type Html,
  html,
  nothing,
  type Problems,
  textField,
  typedNameProblem
} from "@slipway/web/foundation"
import type { ConsoleVisit } from "./ConsolePage.ts"

/** A deletion that the user confirms by typing the name of the resource. */
interface Deletion {
  readonly name: string
  /** The text that explains the consequences of the deletion. */
  readonly hint: string
  readonly button: string
  /** Additional form fields, such as whether to delete the data. */
  readonly fields?: (visit: ConsoleVisit) => Html
}

/** Shows the form named `delete`, which deletes a resource after a confirmation. */
export const deletionSection = (visit: ConsoleVisit, { button, fields, hint, name }: Deletion): Html => {
  const { words } = visit.texts
  return formSection(visit, {
    key: "delete",
    title: words.dangerZone,
    hint,
    fields: (own) =>
      html`${fields === undefined ? nothing : fields(own)}${textField(own, { name: "confirm", label: words.typeToConfirm(name), required: true })}`,
    button,
    danger: true
  })
}

/**
 * Returns the form problem if the user did not type the name of the resource to confirm a deletion; otherwise
 * undefined.
 */
export const deletionProblem = (visit: ConsoleVisit, name: string): { readonly problems: Problems } | undefined => {
  const problem = typedNameProblem(visit, "confirm", name)
  return problem === undefined ? undefined : { problems: { confirm: problem } }
}
