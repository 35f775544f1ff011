import { lineThat } from "./field.ts"

/**
 * Returns whether a text is a path that stays inside the repository.
 *
 * @example
 * isInnerPath("/apps/web") // => true
 * isInnerPath("/apps/../../etc") // => false
 * isInnerPath("-rf") // => false
 */
export const isInnerPath = (value: string): boolean =>
  !value.startsWith("-") && !value.includes("\\") && !value.split("/").includes("..")

const innerPath = "Must be a path inside the repository, without `..`."

/** The schema of a path inside the repository; an empty text is allowed. */
export const InnerPath = lineThat(isInnerPath, innerPath, 4096)

/** The schema of a URL path; an empty text is allowed. */
export const UrlPath = lineThat((value) => /^\/[^\s\\]*$/.test(value), "Must be a path that starts with a slash.")
