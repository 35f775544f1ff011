import { Context } from "effect"

/** A licence that a new repository can have. */
export interface License {
  /** The SPDX identifier, such as `MIT`. */
  readonly key: string
  readonly name: string
  readonly url: string
}

/**
 * Provides the template texts for new repositories.
 *
 * Must:
 * - have the licences that people use most, by the identifiers of SPDX
 * - have the ignored files of the languages that people use most
 * - answer nothing for a name that it doesn't have
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
