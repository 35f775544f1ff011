import { typed } from "../../page/FormState.ts"
import type { Submitted, Visit } from "../../page/Page.ts"
import { namedIn, repositoryIn } from "../code/revision.ts"
import { numberedIn } from "./issueParts.ts"

type Act = (visit: Visit) => Promise<Submitted | undefined>

const wrong = (name: string, problem: string): Submitted => ({ problems: { [name]: problem } })

/**
 * Parses a duration such as `1h 30m`; returns it in seconds, or undefined for invalid text.
 *
 * @example
 * secondsIn("1h 30m") // => 5400
 * secondsIn("45m") // => 2700
 * secondsIn("soon") // => undefined
 */
export const secondsIn = (text: string): number | undefined => {
  const found = /^(?:(\d{1,4})\s*h)?\s*(?:(\d{1,4})\s*m(?:in)?)?$/i.exec(text.trim())
  const seconds = Number(found?.[1] ?? 0) * 3_600 + Number(found?.[2] ?? 0) * 60
  return seconds > 0 ? seconds : undefined
}

/**
 * Parses a reference to an issue: a number, or `owner/repository#12`. Returns undefined for invalid text.
 *
 * @example
 * issueNamed("#12", { owner: "ann", name: "site" }) // => { index: 12, owner: "ann", repo: "site" }
 * issueNamed("bob/app#3", { owner: "ann", name: "site" }) // => { index: 3, owner: "bob", repo: "app" }
 */
export const issueNamed = (text: string, { name, owner }: { readonly owner: string; readonly name: string }) => {
  const [, otherOwner, otherName, index] = /^(?:([^/\s#]+)\/([^/\s#]+))?#?([1-9]\d{0,14})$/.exec(text.trim()) ?? []
  return index === undefined ? undefined : { index: Number(index), owner: otherOwner ?? owner, repo: otherName ?? name }
}

const labels: Act = async (visit) => {
  const params = numberedIn(visit)
  const chosen = visit.form.values.getAll("label").map(Number).filter(Number.isSafeInteger)
  if (chosen.length === 0) await visit.forge.issue.label.clear({ params })
  else await visit.forge.issue.label.replace({ params, body: { labels: chosen } })
  return undefined
}

const due: Act = async (visit) => {
  const text = typed(visit.form, "due").trim()
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (text !== "" && (date === undefined || Number.isNaN(date.getTime())))
    return wrong("due", visit.texts.issues.dateWrong)
  await visit.forge.issue.deadline.set({
    params: numberedIn(visit),
    body: { due_date: date === undefined ? null : date.toISOString() }
  })
  return undefined
}

const dependency = async (visit: Visit, does: "add" | "remove"): Promise<Submitted | undefined> => {
  const body = issueNamed(typed(visit.form, "dependency"), repositoryIn(visit))
  if (body === undefined) return wrong("dependency", visit.texts.editing.dependencyWrong)
  const done = await visit.forge.issue.dependency[does]({ params: numberedIn(visit), body }).result()
  if (done.ok) return undefined
  // A hidden issue and a missing one get the same message.
  if (done.error.status === 404) return wrong("dependency", visit.texts.editing.dependencyWrong)
  throw done.error
}

const addTime: Act = async (visit) => {
  const seconds = secondsIn(typed(visit.form, "time"))
  if (seconds === undefined) return wrong("time", visit.texts.editing.timeWrong)
  await visit.forge.issue.time.create({ params: numberedIn(visit), body: { time: seconds } })
  return undefined
}

const edit: Act = async (visit) => {
  const { form, forge } = visit
  const title = typed(form, "title").trim()
  if (title === "") return wrong("title", visit.texts.forms.required)
  await forge.issue.edit({
    params: numberedIn(visit),
    body: { title, body: typed(form, "text"), content_version: Number(typed(form, "version")) }
  })
  return undefined
}

const comment = (visit: Visit) => {
  const { index: _, ...named } = numberedIn(visit)
  return { ...named, id: Number(typed(visit.form, "id")) }
}

const editComment: Act = async (visit) => {
  const { form, forge } = visit
  const body = typed(form, "text").trim()
  if (body === "") return wrong("text", visit.texts.forms.required)
  const params = comment(visit)
  await forge.issue.comment.edit({ params, body: { body, content_version: Number(typed(form, "version")) } })
  return { to: `${visit.url.pathname}#issuecomment-${params.id}` }
}

const done = async (call: PromiseLike<unknown>): Promise<undefined> => {
  await call
  return undefined
}

/** The functions that handle the forms in the sidebar and the edit forms, by the value of the submit button. */
const acts: Readonly<Record<string, Act>> = {
  labels,
  due,
  edit,
  assignees: (visit) =>
    done(
      visit.forge.issue.edit({ params: numberedIn(visit), body: { assignees: visit.form.values.getAll("assignee") } })
    ),
  milestone: (visit) =>
    done(
      visit.forge.issue.edit({
        params: numberedIn(visit),
        body: { milestone: Number(typed(visit.form, "milestone")) || 0 }
      })
    ),
  lock: (visit) =>
    done(visit.forge.issue.lock({ params: numberedIn(visit), body: { lock_reason: typed(visit.form, "reason") } })),
  unlock: (visit) => done(visit.forge.issue.unlock({ params: numberedIn(visit) })),
  pin: (visit) => done(visit.forge.issue.pin({ params: numberedIn(visit) })),
  unpin: (visit) => done(visit.forge.issue.unpin({ params: numberedIn(visit) })),
  subscribe: (visit) =>
    done(visit.forge.issue.subscription.add({ params: { ...numberedIn(visit), user: visit.viewer?.login ?? "" } })),
  unsubscribe: (visit) =>
    done(visit.forge.issue.subscription.remove({ params: { ...numberedIn(visit), user: visit.viewer?.login ?? "" } })),
  "add-dependency": (visit) => dependency(visit, "add"),
  "remove-dependency": (visit) => dependency(visit, "remove"),
  "add-time": addTime,
  "start-timer": (visit) => done(visit.forge.issue.stopwatch.start({ params: numberedIn(visit) })),
  "stop-timer": (visit) => done(visit.forge.issue.stopwatch.stop({ params: numberedIn(visit) })),
  "cancel-timer": (visit) => done(visit.forge.issue.stopwatch.delete({ params: numberedIn(visit) })),
  "edit-comment": editComment,
  "delete-comment": (visit) => done(visit.forge.issue.comment.delete({ params: comment(visit) }))
}

/** Handles the forms that change an issue or pull request. Returns undefined if another form was submitted. */
export const submitFacts = async (visit: Visit): Promise<Submitted | undefined> => {
  const does = visit.query.get("do") ?? typed(visit.form, "do")
  const to = { to: visit.url.pathname }
  const [, sign, content] = /^(react|unreact) (\S{1,20})$/.exec(does) ?? []
  if (content !== undefined) {
    const id = Number(typed(visit.form, "comment"))
    const body = { content }
    if (id > 0) {
      const { add, remove } = visit.forge.issue.comment.reaction
      await (sign === "react" ? add : remove)({ params: { ...namedIn(visit), id }, body })
      return { to: `${to.to}#issuecomment-${id}` }
    }
    const { add, remove } = visit.forge.issue.reaction
    await (sign === "react" ? add : remove)({ params: numberedIn(visit), body })
    return to
  }
  const act = Object.hasOwn(acts, does) ? acts[does] : undefined
  return act === undefined ? undefined : ((await act(visit)) ?? to)
}
