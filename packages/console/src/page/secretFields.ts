import { checkField, type Field, type Html, html, textArea, textField, typed } from "@slipway/web/foundation"
import type { ConsoleVisit } from "./ConsolePage.ts"

/** A field for a secret: its value is never shown, also after an error. */
interface SecretField extends Pick<Field, "label" | "name" | "required" | "maxlength"> {
  /** Whether a value is stored already; an empty field then leaves it unchanged. */
  readonly isStored: boolean
  /** Whether a stored value can be removed; a checkbox then does so. */
  readonly isRemovable?: boolean
  readonly hint?: string
}

const hintOf = ({ texts }: ConsoleVisit, { hint, isStored }: SecretField): string =>
  [isStored ? texts.words.secretStored : "", hint ?? ""].filter((each) => each !== "").join(" ")

const shown = (visit: ConsoleVisit, field: SecretField): Field => {
  const { label, maxlength, name, required = false } = field
  const hint = hintOf(visit, field)
  return {
    name,
    label,
    required: required && !field.isStored,
    ...(hint === "" ? {} : { hint }),
    ...(maxlength === undefined ? {} : { maxlength })
  }
}

const removalOf = (name: string): string => `remove_${name}`

/** Shows a field of one line for a secret. */
export const secretField = (visit: ConsoleVisit, field: SecretField): Html => {
  const { isRemovable = false, isStored, label, name } = field
  return html`${textField(visit, { ...shown(visit, field), type: "password", autocomplete: "off" })}${isStored && isRemovable && checkField(visit, { name: removalOf(name), label: visit.texts.words.removeSecret(label) })}`
}

/** Shows a field of several lines for a secret, such as a private key. */
export const secretArea = (visit: ConsoleVisit, field: SecretField): Html => {
  const values = new URLSearchParams([...visit.form.values].filter(([name]) => name !== field.name))
  return textArea({ ...visit, form: { ...visit.form, values } }, { ...shown(visit, field), rows: 6 })
}

/** Returns the typed text of a secret; forms send CRLF line breaks, which some parsers of keys reject. */
export const typedText = ({ form }: ConsoleVisit, name: string): string => typed(form, name).replaceAll("\r\n", "\n")

/** Returns the typed text of a secret as part of a request; nothing for an empty field, which changes nothing. */
export const typedSecret = <const Name extends string>(
  visit: ConsoleVisit,
  name: Name
): { readonly [N in Name]?: string } => {
  const value = typedText(visit, name)
  // BOUNDARY: the only key is the name.
  return (value === "" ? {} : { [name]: value }) as { readonly [N in Name]?: string }
}

/** Returns the typed text of a removable secret, or null if it is to be removed, as part of a request. */
export const typedRemovable = <const Name extends string>(
  visit: ConsoleVisit,
  name: Name
): { readonly [N in Name]?: string | null } =>
  typed(visit.form, removalOf(name)) === "on"
    ? // BOUNDARY: the only key is the name.
      ({ [name]: null } as { readonly [N in Name]?: null })
    : typedSecret(visit, name)

/** Returns the typed text, or null for an empty field. */
export const typedOrNull = ({ form }: ConsoleVisit, name: string): string | null => {
  const value = typed(form, name).trim()
  return value === "" ? null : value
}
