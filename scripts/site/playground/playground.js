import { importCedar, importOpenFga } from "./imports.ts"
import { decodeShared, encodeShared, parseRules, parseWorld } from "./rules.ts"

const example = {
  rules: `fact owner: the caller owns the document
fact shared: the document is shared with the caller
fact archived: the document is archived

action read
  allow owner: owner
  allow shared: shared
action edit
  requires read
  allow owner: owner
  deny archived: archived
`,
  world: `ann opens her report: owner
ben opens the report of ann: shared
ann opens her old report: owner archived
cy opens the report of ann:
`
}

const byId = (id) => document.getElementById(id)
const [rulesField, worldField, importField] = ["rules", "world", "import"].map(byId)
const svgNamespace = "http://www.w3.org/2000/svg"

const element = (name, text = "", attributes = {}) => {
  const made = document.createElement(name)
  made.textContent = text
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

const svg = (name, attributes, text = "") => {
  const made = document.createElementNS(svgNamespace, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.textContent = text
  return made
}

const listProblems = (id, problems) =>
  byId(id).replaceChildren(...problems.map(({ line, text }) => element("li", `Line ${line}: ${text}`)))

/** The cell of the matrix with the explained decision. */
let chosen = { row: 0, action: 0 }

const letters = 34
const lineHeight = 22

/** Returns the lines of a text of a graph's box. */
const wrapped = (text) => {
  const lines = [""]
  for (const word of text.split(" ")) {
    if (lines.at(-1).length + word.length > letters && lines.at(-1) !== "") lines.push("")
    lines.push(`${lines.pop()} ${word}`.trim())
  }
  return lines
}

/** Draws an explanation as a graph: the checks of the decision from top to bottom, each with its rules and facts. */
const drawGraph = (title, steps, allowed) => {
  const boxes = steps.flatMap(({ action, facts, passed, rules }) => [
    { text: `${passed ? "✓" : "✗"} ${action}`, kind: passed ? "yes" : "no", depth: 0 },
    ...rules.map((rule) => ({ text: `rule ${rule}`, kind: "rule", depth: 1 })),
    ...facts.map((fact) => ({ text: fact, kind: "fact", depth: 1 }))
  ])
  boxes.push({ text: allowed ? "allowed" : "denied", kind: allowed ? "yes" : "no", depth: 0 })
  const parts = []
  let [y, parent] = [4, undefined]
  for (const { depth, kind, text } of boxes) {
    const lines = wrapped(text)
    const height = lines.length * lineHeight + 10
    const x = depth === 0 ? 4 : 36
    const middle = y + height / 2
    if (parent !== undefined) {
      const path = depth === 0 ? `M 16 ${parent} V ${y}` : `M 16 ${parent} V ${middle} H ${x}`
      parts.push(svg("path", { d: path, class: "edge" }))
    }
    parts.push(svg("rect", { x, y, width: 296 - (x - 4), height, rx: 5, class: kind }))
    for (const [at, line] of lines.entries()) {
      parts.push(svg("text", { x: x + 8, y: y + 20 + at * lineHeight }, line))
    }
    if (depth === 0) parent = y + height
    y += height + 12
  }
  const drawn = svg("svg", { viewBox: `0 0 304 ${y}`, width: 304, height: y, role: "img" })
  drawn.append(svg("title", {}, title), ...parts)
  return drawn
}

const explain = (parsed, situations) => {
  const situation = situations[chosen.row]
  const action = parsed.actions[chosen.action]
  const shown = byId("explanation")
  if (situation === undefined || action === undefined) return shown.replaceChildren()
  const { decision, steps } = parsed.rules.explain(action, situation.facts)
  const title = `${situation.name}: ${action} is ${decision.allowed ? "allowed" : "denied"}`
  const list = element("ul")
  for (const { action: checked, facts, passed, rules } of steps) {
    const reasons = [...rules.map((rule) => `rule ${rule}`), ...facts].join("; ")
    list.append(element("li", `${checked} ${passed ? "passes" : "fails"}: ${reasons}`))
  }
  shown.replaceChildren(element("p", title), drawGraph(title, steps, decision.allowed), list)
}

const drawMatrix = (parsed, situations) => {
  const table = element("table")
  table.append(element("caption", "Who may do what"))
  const head = element("tr")
  head.append(element("td"), ...parsed.actions.map((action) => element("th", action, { scope: "col" })))
  table.createTHead().append(head)
  const body = table.createTBody()
  for (const [row, { facts, name }] of situations.entries()) {
    const line = element("tr")
    line.append(element("th", name, { scope: "row" }))
    for (const [action, named] of parsed.actions.entries()) {
      const { allowed } = parsed.rules.check(named, facts)
      const isChosen = row === chosen.row && action === chosen.action
      const label = `${named}, ${name}: ${allowed ? "allowed" : "denied"}`
      const button = element("button", allowed ? "✓" : "✗", {
        type: "button",
        class: allowed ? "yes" : "no",
        "aria-label": label,
        "aria-pressed": String(isChosen)
      })
      button.addEventListener("click", () => {
        chosen = { row, action }
        for (const each of byId("matrix").querySelectorAll("button")) {
          each.setAttribute("aria-pressed", String(each === button))
        }
        explain(parsed, situations)
      })
      const cell = element("td")
      cell.append(button)
      line.append(cell)
    }
    body.append(line)
  }
  byId("matrix").replaceChildren(table)
}

const show = () => {
  const parsed = parseRules(rulesField.value)
  const world = parseWorld(worldField.value, parsed.facts)
  listProblems("rule-problems", parsed.problems)
  listProblems("world-problems", world.problems)
  if (parsed.rules === undefined) {
    byId("matrix").replaceChildren(element("p", "Correct the rules to see the matrix."))
    return byId("explanation").replaceChildren()
  }
  drawMatrix(parsed, world.situations)
  explain(parsed, world.situations)
}

const load = ({ rules, world }) => {
  rulesField.value = rules
  worldField.value = world
  chosen = { row: 0, action: 0 }
  show()
}

const translate = (importer, engine) => {
  const { missing, rules } = importer(importField.value)
  const { facts } = parseRules(rules)
  load({ rules, world: ["nobody:", ...facts.map((fact) => `${fact}: ${fact}`)].join("\n") })
  listProblems("import-problems", missing)
  byId("import-count").textContent =
    missing.length === 0
      ? `Every part of the ${engine} text is translated.`
      : `Not translated from ${engine}: ${missing.length}`
}

const loadFragment = () => load(decodeShared(location.hash.slice(1)) ?? example)

rulesField.addEventListener("input", show)
worldField.addEventListener("input", show)
byId("from-openfga").addEventListener("click", () => translate(importOpenFga, "OpenFGA"))
byId("from-cedar").addEventListener("click", () => translate(importCedar, "Cedar"))
byId("share").addEventListener("click", () => {
  location.hash = encodeShared({ rules: rulesField.value, world: worldField.value })
  byId("shared").textContent = "The address of this page now contains the rules and the world."
})
addEventListener("hashchange", () => {
  const shared = decodeShared(location.hash.slice(1))
  if (shared !== undefined && (shared.rules !== rulesField.value || shared.world !== worldField.value)) load(shared)
})
loadFragment()
