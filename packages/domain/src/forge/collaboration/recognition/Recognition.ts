import { Context, type Effect } from "effect"
import type { IssueConfig, IssueTemplate } from "./templates.ts"

/** The editor settings of a file, by their `.editorconfig` names. */
export type EditorSettings = Readonly<Record<string, string | number | boolean>>

/**
 * Knows what files are by their names and texts.
 *
 * Must:
 * - tell the language of a file that people write programs or pages in, by its name
 * - answer nothing for a language of data and prose, and for what others wrote
 * - tell the licence that a text is, whoever holds it and since when
 * - answer nothing for a text that is no licence
 * - tell how editors treat a file, by a text of settings
 * - tell the template of issues that a file holds, and how issues are opened
 */
export class Recognition extends Context.Service<
  Recognition,
  {
    /** Returns a function that detects the language of a file by its path in a repository. */
    readonly languages: Effect.Effect<(path: string) => string | undefined>
    /** By the identifiers of SPDX. */
    readonly license: (text: string) => string | undefined
    readonly editorSettings: (settings: Uint8Array, path: string) => Effect.Effect<EditorSettings>
    readonly issueTemplate: (file: string, text: string) => Effect.Effect<IssueTemplate | undefined>
    readonly issueConfig: (text: string) => Effect.Effect<IssueConfig | undefined>
  }
>()("@slipway/domain/forge/Recognition") {}
