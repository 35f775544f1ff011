import type { Service } from "../services/Service.ts"
import type { ServiceTemplate } from "./ServiceTemplate.ts"

/** The difference between the compose text of a service and the current version of its template. */
export interface TemplateUpdate {
  /** Whether the template has changed since the service took over its text. */
  readonly isAvailable: boolean
  /** Whether the compose text of the service differs from the text of the template that it took over. */
  readonly isEdited: boolean
  /** The images of the compose text, and those of the current template. */
  readonly currentImages: ReadonlyArray<string>
  readonly newImages: ReadonlyArray<string>
  /** The variables that only the current template uses, and those that only the present text uses. */
  readonly addedVariables: ReadonlyArray<string>
  readonly removedVariables: ReadonlyArray<string>
}

/** Returns the image references in a compose text, in their order. */
const imagesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^[ \t]*image:[ \t]*["']?([^"'\s]+)/gm)].flatMap(([, image]) => image ?? [])

/** Returns the names of the variables that a compose text uses, sorted. */
const variablesIn = (text: string): ReadonlyArray<string> =>
  [...new Set([...text.matchAll(/(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_]*)/g)].flatMap(([, name]) => name ?? []))].toSorted()

/**
 * Compares a service with the current version of its template.
 *
 * A service from before the platform stored template texts counts as edited, unless its text is that of the template.
 */
export const templateUpdateOf = (
  { dockerComposeRaw, templateCompose }: Pick<Service, "dockerComposeRaw" | "templateCompose">,
  template: ServiceTemplate
): TemplateUpdate => {
  const isCurrent = dockerComposeRaw === template.compose
  const [before, after] = [variablesIn(dockerComposeRaw), variablesIn(template.compose)]
  return {
    isAvailable: !isCurrent && templateCompose !== template.compose,
    isEdited: !isCurrent && dockerComposeRaw !== templateCompose,
    currentImages: imagesIn(dockerComposeRaw),
    newImages: template.images,
    addedVariables: after.filter((name) => !before.includes(name)),
    removedVariables: before.filter((name) => !after.includes(name))
  }
}
