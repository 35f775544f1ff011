import type { IconName } from "../assets/icons.ts"
import type { Html } from "../html/Html.ts"

/** A tab: its key, label and path, an optional count, and whether the viewer can use it. */
export interface Tab {
  readonly key: string
  readonly label: string
  readonly to: string
  readonly icon?: IconName
  readonly count?: number
  readonly shown?: boolean
}

/** The heading and tabs that the pages of one resource share. */
export interface Frame {
  readonly heading: Html
  readonly label: string
  readonly tabs: ReadonlyArray<Tab>
  readonly tab: string
}
