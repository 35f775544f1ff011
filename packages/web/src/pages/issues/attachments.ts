import type { GeneralAttachmentSettings } from "@slipway/client/forge"
import type { Visit } from "../../page/Page.ts"

const megabyte = 1_048_576

/**
 * Returns whether a list of allowed types, such as `.zip,image/*`, contains the type of a file.
 *
 * @example
 * isAllowedType(".zip, image/*", { name: "a.PNG", type: "image/png" }) // => true
 * isAllowedType(".zip", { name: "a.png", type: "image/png" }) // => false
 */
export const isAllowedType = (allowed: string, { name, type }: Pick<File, "name" | "type">): boolean => {
  const types = allowed.split(",").flatMap((each) => (each.trim() === "" ? [] : [each.trim().toLowerCase()]))
  if (types.length === 0) return true
  const [lowerName, lowerType] = [name.toLowerCase(), type.toLowerCase()]
  return types.some((each) => {
    if (each === "*/*" || each === lowerType) return true
    return each.startsWith(".")
      ? lowerName.endsWith(each)
      : each.endsWith("/*") && lowerType.startsWith(each.slice(0, -1))
  })
}

const problemIn = (
  { editing }: Visit["texts"],
  settings: GeneralAttachmentSettings,
  files: ReadonlyArray<File>
): string | undefined => {
  if (!settings.enabled) return editing.attachmentsOff
  if (settings.max_files > 0 && files.length > settings.max_files) return editing.attachmentCount
  const large = files.find(({ size }) => size > settings.max_size * megabyte)
  if (large !== undefined) return `${large.name} ${editing.attachmentSize}`
  const odd = files.find((file) => !isAllowedType(settings.allowed_types, file))
  return odd === undefined ? undefined : `${odd.name} ${editing.attachmentType}`
}

/** Returns the uploaded files of a form, or the reason why they are rejected. Check them before anything is created. */
export const checkedFiles = async (
  visit: Visit
): Promise<{ readonly files: ReadonlyArray<File>; readonly problem: string | undefined }> => {
  const files = visit.form.files?.get("files") ?? []
  if (files.length === 0) return { files, problem: undefined }
  const settings = await visit.forge.settings.attachment.read()
  return { files, problem: problemIn(visit.texts, settings, files) }
}
