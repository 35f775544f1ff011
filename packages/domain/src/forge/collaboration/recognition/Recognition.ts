import { Context, type Effect } from "effect"
import type { IssueConfig, IssueTemplate } from "./templates.ts"

/** The editor settings of a file, by their `.editorconfig` names. */
export type EditorSettings = Readonly<Record<string, string | number | boolean>>

/**
 * Detects languages, licences, editor settings and issue templates by the names and texts of files.
 *
 * Must:
 * - detect the programming or markup language of a file by its name
 * - return nothing for data and prose formats, and for vendored files
 * - detect the licence of a text, ignoring its holder and year
 * - return nothing for a text that is not a licence
 * - return the editor settings of a file from a settings text
 * - parse issue templates and their configuration
 */
export class Recognition extends Context.Service<
  Recognition,
  {
    /** Returns a function that detects the language of a file by its path in a repository. */
    readonly languages: Effect.Effect<(path: string) => string | undefined>
    /** Returns the SPDX identifier of the licence in a text, such as `MIT`; undefined if it is not a known licence. */
    readonly license: (text: string) => string | undefined
    readonly editorSettings: (settings: Uint8Array, path: string) => Effect.Effect<EditorSettings>
    readonly issueTemplate: (file: string, text: string) => Effect.Effect<IssueTemplate | undefined>
    readonly issueConfig: (text: string) => Effect.Effect<IssueConfig | undefined>
  }
>()("@slipway/domain/forge/Recognition") {}
