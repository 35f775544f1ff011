import { Context } from "effect"

/** A licence text that a new repository can contain. */
export interface License {
  /** The SPDX identifier, such as `MIT`. */
  readonly key: string
  readonly name: string
  readonly url: string
}

/**
 * Provides licence texts and gitignore templates for new repositories.
 *
 * Must:
 * - include the most common licences, by their SPDX identifiers
 * - include the gitignore templates of the most common languages
 * - return nothing for an unknown name
 */
export class Templates extends Context.Service<
  Templates,
  {
    readonly licenses: ReadonlyArray<License>
    readonly license: (key: string) => (License & { readonly body: string }) | undefined
    readonly gitignores: ReadonlyArray<string>
    readonly gitignore: (name: string) => string | undefined
  }
>()("@slipway/domain/forge/Templates") {}
