import { Schema } from "effect"
import { isOwnImage } from "../../base/images/imageNames.ts"
import { base64Content } from "./base64.ts"
import { lineThat, text } from "./field.ts"

const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*"
const registry = "(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\\[[0-9a-fA-F:]+\\])(?::[0-9]{1,5})?"
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
const imageName = new RegExp(`^(?:${registry}/)?${component}(?:/${component})*(?::${tag})?(?:@sha256:[0-9a-f]{64})?$`)
const imageTag = new RegExp(`^(?:${tag}|sha256:[0-9a-f]{64})$`)

/**
 * Returns whether a text is a valid image reference: `[registry[:port]/]path[:tag][@digest]`.
 *
 * @example
 * isImageName("registry.example:5000/team/app") // => true
 * isImageName("Team/App") // => false
 */
export const isImageName = (value: string): boolean => value.length <= 512 && imageName.test(value)

/** The schema of an image reference; an empty text is allowed. */
export const ImageName = lineThat(
  isImageName,
  "Must be the name of an image, such as registry.example/team/app."
).check(
  // An image of the platform may belong to another application (invariant I22).
  Schema.makeFilter((value: string) => (isOwnImage(value) ? "Must be an image of a registry." : undefined))
)
/** The schema of an image tag or digest; an empty text is allowed. */
export const ImageTag = lineThat(
  (value) => imageTag.test(value),
  "Must be the tag of an image: letters, digits, `_`, `.` and `-`, at most 128."
)

const fromInstruction = /^[ \t]*FROM[ \t]+\S/im

/**
 * Returns the text of a Dockerfile, decoded if the request contains it as base64, as older clients do (decision
 * "dockerfile").
 *
 * @example
 * dockerfileText("FROM scratch") // => "FROM scratch"
 * dockerfileText("RlJPTSBzY3JhdGNo") // => "FROM scratch"
 */
export const dockerfileText = (sent: string): string =>
  fromInstruction.test(sent) ? sent : (base64Content(sent) ?? sent)

const longestDockerfile = 1_000_000

/** The schema of a Dockerfile, sent as text or as base64 (decision "dockerfile"). */
export const Dockerfile = text(longestDockerfile).check(
  Schema.makeFilter((sent: string) => {
    const plain = dockerfileText(sent)
    if (plain.includes("\0")) return "Must not contain a NUL character."
    return fromInstruction.test(plain)
      ? undefined
      : "Must be a Dockerfile with a FROM instruction, as text or as the base64 of it."
  })
)
