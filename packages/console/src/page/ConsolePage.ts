import type { Methods } from "@slipway/client/deploy"
import type { BasePage, BaseVisit, OperationOf } from "@slipway/web/foundation"
import type { Texts } from "../texts/index.ts"

/** The name of an operation of the platform's API. */
export type Operation = OperationOf<Methods>

/** The signed-in account that views a page. */
export interface Viewer {
  readonly name: string
  readonly is_root: boolean
}

/** A request for a page of the console, with the data for the page's loader and view. */
export interface ConsoleVisit extends BaseVisit {
  /** The API operations that the page declares; they run with the viewer's permissions. */
  readonly deploy: Methods
  readonly viewer: Viewer | undefined
  readonly texts: Texts
}

/** A page of the console. */
export type ConsolePage<Data = unknown> = BasePage<ConsoleVisit, Operation, Data>

/** Declares a page that requires sign-in by default; the result of `load` determines the type of its data. */
export const page = <Data>(declared: ConsolePage<Data>): ConsolePage => ({ signIn: true, ...declared }) as ConsolePage
