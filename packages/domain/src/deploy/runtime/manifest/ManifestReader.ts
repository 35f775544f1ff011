import { Context, type Effect, Schema } from "effect"

/** The parsed content of a manifest. */
export interface ManifestContent {
  /** The parsed YAML: strings, numbers, booleans, null, lists and objects. */
  readonly value: unknown
  /** The line of each key and list entry by its path, such as `applications.web.ports.0`; the first line is 1. */
  readonly lines: ReadonlyMap<string, number>
  /** The text of each number and boolean as it is written in the file, by its path. */
  readonly texts: ReadonlyMap<string, string>
}

/** Reports that the YAML of a manifest is invalid, with the line and the reason. */
export class ManifestRefused extends Schema.TaggedError<ManifestRefused>()("ManifestRefused", {
  line: Schema.Number,
  because: Schema.String
}) {}

/**
 * Parses the YAML of manifests (`slipway.yaml`), which is untrusted.
 *
 * Must:
 * - return the content with the line of each key and list entry
 * - return the text of each number and boolean as it is written
 * - report the line of a syntax error
 * - refuse duplicate keys, aliases, tags and several documents
 */
export class ManifestReader extends Context.Service<
  ManifestReader,
  {
    readonly read: (text: string) => Effect.Effect<ManifestContent, ManifestRefused>
  }
>()("@slipway/domain/deploy/ManifestReader") {}
