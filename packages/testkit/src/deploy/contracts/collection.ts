import type { Stores } from "@slipway/domain/deploy"
import type { Contract } from "../../contract.ts"
import { refusesNames, refusesUuids } from "./collection/names.ts"
import { keepsNeeded, refusesMissing, takesAlong } from "./collection/references.ts"
import {
  answersNothing,
  counts,
  givesBack,
  keepsLocked,
  keepsText,
  lists,
  numbers,
  removes,
  replaces
} from "./collection/rows.ts"

/** What every collection promises, shown on every kind. */
export const collection: Contract<Stores> = {
  port: "Collection",
  musts: {
    "give back a stored row as it was inserted, with a number": givesBack,
    "number rows in the order of their insertion": numbers,
    "answer nothing for a row that is not there": answersNothing,
    "list rows in the order of their insertion, without gaps or repeats from one window to the next": lists,
    "count what it lists": counts,
    "replace a row as a whole, and tell when it isn't there": replaces,
    "remove a row once, and tell when it wasn't there": removes,
    "refuse to remove a row that others need, and keep it": keepsNeeded,
    "remove what belongs to a row together with it": takesAlong,
    "refuse a second row with a name that must be the only one, ignoring case": refusesNames,
    "refuse a second row with a uuid that another has": refusesUuids,
    "refuse a row that refers to what is not there": refusesMissing,
    "keep other transactions from changing a row it has locked until this one ends": keepsLocked,
    "keep any text that is well-formed Unicode without NUL": keepsText
  }
}
