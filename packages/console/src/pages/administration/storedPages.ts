import {
  formSection,
  formTo,
  type Html,
  html,
  nothing,
  otherProblems,
  pathOf,
  problemSummary,
  type Submitted,
  typed
} from "@slipway/web/foundation"
import { type ConsolePage, type ConsoleVisit, type Operation, page } from "../../page/ConsolePage.ts"
import { decisionsOn } from "../../page/decisions.ts"
import { deletionProblem, deletionSection } from "../../page/deletion.ts"
import { rejectedForm } from "../../page/rejections.ts"
import { type AdministrationTab, administrationFrame, administrationQuestions } from "./administrationFrame.ts"

/** A stored resource of a team, such as a private key. */
interface Stored {
  readonly uuid: string
  readonly name: string
}

/** The texts of one type of stored resource. */
export interface StoredTexts {
  readonly add: string
  readonly addHint: string
  readonly delete: string
  readonly deleteHint: string
}

/** A type of stored resource: the paths of its pages, its operations, and its form. */
export interface StoredKind<Row extends Stored, Extra> {
  readonly tab: AdministrationTab
  /** The path above the page of each resource, such as `/keys`. */
  readonly path: `/${string}`
  /** The path of the list. */
  readonly list: `/${string}`
  /** The operations of the functions below. */
  readonly operations: ReadonlyArray<Operation>
  /** The actions of the access tables. */
  readonly actions: { readonly create: string; readonly update: string; readonly delete: string }
  readonly texts: (visit: ConsoleVisit) => StoredTexts
  /** The names of the fields of the form. */
  readonly names: ReadonlyArray<string>
  /** Shows the fields, empty for a new resource. */
  readonly fields: (visit: ConsoleVisit, row: Row | undefined, extra: Extra) => Html
  /** Loads the choices of the form and what uses the resource; `row` is undefined for a new resource. */
  readonly extra: (visit: ConsoleVisit, row: Row | undefined) => Promise<Extra>
  readonly find: (visit: ConsoleVisit, uuid: string) => Promise<Row>
  readonly create: (visit: ConsoleVisit) => Promise<unknown>
  readonly update: (visit: ConsoleVisit, uuid: string) => Promise<unknown>
  readonly remove: (visit: ConsoleVisit, uuid: string) => Promise<unknown>
  /** Shows facts and buttons above the form. */
  readonly facts: (visit: ConsoleVisit, row: Row, extra: Extra, mayUpdate: boolean) => Html
  /** Handles the buttons of `facts` by the value of `do`; undefined for the form. */
  readonly act?: (visit: ConsoleVisit, uuid: string) => Promise<Submitted | undefined>
}

const uuidIn = ({ params }: ConsoleVisit): string => params.uuid ?? ""

/** Shows the result of a button, such as a test. */
export const outcomeText = ({ form }: ConsoleVisit): Html =>
  typeof form.outcome === "string" ? html`<p class="alert info" role="status">${form.outcome}</p>` : nothing

/** Returns the page that adds a stored resource, and the page that shows, changes and deletes one. */
export const storedPages = <Row extends Stored, Extra>(kind: StoredKind<Row, Extra>): ReadonlyArray<ConsolePage> => {
  const { actions, path } = kind
  const operations: ReadonlyArray<Operation> = [...kind.operations, "people.check"]
  const create = page({
    path: `${path}/new`,
    operations,
    load: async (visit) => {
      const [extra, may] = await Promise.all([
        kind.extra(visit, undefined),
        decisionsOn(visit, { ...administrationQuestions, create: [actions.create] })
      ])
      return { extra, may }
    },
    view: ({ extra, may }, visit) => {
      const t = kind.texts(visit)
      return {
        title: t.add,
        frame: administrationFrame(visit, kind.tab, may),
        body: html`<div class="narrow"><div class="title"><h2>${t.add}</h2></div>${problemSummary(visit)}${
          may.create
            ? html`<p class="soft">${t.addHint}</p>${formTo(visit, `${path}/new`, html`${kind.fields(visit, undefined, extra)}<p><button class="button primary">${t.add}</button></p>`)}`
            : html`<p class="alert warn">${visit.texts.administration.needsAdministrator}</p>`
        }</div>`
      }
    },
    submit: async (visit) => {
      try {
        await kind.create(visit)
        return { to: kind.list }
      } catch (error) {
        return rejectedForm(error, kind.names)
      }
    }
  })
  const one = page({
    path: `${path}/:uuid`,
    operations,
    load: async (visit) => {
      const row = await kind.find(visit, uuidIn(visit))
      const [extra, may] = await Promise.all([
        kind.extra(visit, row),
        decisionsOn(visit, {
          ...administrationQuestions,
          update: [actions.update, row.uuid],
          delete: [actions.delete, row.uuid]
        })
      ])
      return { row, extra, may }
    },
    view: ({ extra, may, row }, visit) => {
      const t = kind.texts(visit)
      return {
        title: row.name,
        frame: administrationFrame(visit, kind.tab, may),
        body: html`<div class="title"><h2>${row.name}</h2></div>${otherProblems(visit, ["save", "delete"])}${outcomeText(visit)}
${kind.facts(visit, row, extra, may.update)}
${may.update && formSection(visit, { key: "save", title: visit.texts.words.settings, fields: (own) => kind.fields(own, row, extra), button: visit.texts.forms.save })}
${may.delete && deletionSection(visit, { name: row.name, hint: t.deleteHint, button: t.delete })}`
      }
    },
    submit: async (visit) => {
      const uuid = uuidIn(visit)
      try {
        const acted = await kind.act?.(visit, uuid)
        if (acted !== undefined) return acted
        if (typed(visit.form, "do") !== "delete") {
          await kind.update(visit, uuid)
          return { to: `${path}${pathOf(uuid)}` }
        }
        const problem = deletionProblem(visit, (await kind.find(visit, uuid)).name)
        if (problem !== undefined) return problem
        await kind.remove(visit, uuid)
        return { to: kind.list }
      } catch (error) {
        return rejectedForm(error, [...kind.names, "confirm"])
      }
    }
  })
  return [create, one]
}
