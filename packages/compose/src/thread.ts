import type { OutlinedService } from "@slipway/domain/deploy/apps"
import { answerEach } from "@slipway/threads/thread"
import { type ManifestRead, manifestIn } from "./manifest.ts"
import { outlineOf } from "./outline.ts"
import { type Reference, referencesIn } from "./references.ts"
import type { Read } from "./texts.ts"
import { documentsIn, printedYaml } from "./yaml.ts"

/**
 * A request to the worker thread that parses YAML.
 *
 * - `file`: find the file references of a compose file
 * - `outlined`: find the services of a compose file
 * - `printed`: parse the output of docker-compose 1
 * - `manifest`: parse a manifest
 */
export type Question =
  | { readonly file: string }
  | { readonly outlined: string }
  | { readonly printed: string }
  | { readonly manifest: string }

/** The response of the worker thread to each type of request. */
export interface Answers {
  readonly file: Read<ReadonlyArray<Reference>>
  readonly outlined: Read<ReadonlyArray<OutlinedService>>
  readonly printed: Read<unknown>
  readonly manifest: ManifestRead
}

answerEach((question: Question): Answers[keyof Answers] => {
  if ("manifest" in question) return manifestIn(question.manifest)
  if ("printed" in question) return printedYaml(question.printed)
  if ("outlined" in question) return outlineOf(documentsIn(question.outlined))
  const documents = documentsIn(question.file)
  return "said" in documents ? { said: referencesIn(documents.said) } : documents
})
