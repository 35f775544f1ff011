// The explorer: it calls only the API of the service that serves it.
const { api, world } = document.body.dataset
const at = (id) => document.getElementById(id)
const [person, thing, action, token, scenario] = ["person", "thing", "action", "token", "scenario"].map(at)
const mostPeople = 12

/** Creates an element with a text, a class and attributes. */
const make = (name, text = "", attributes = {}) => {
  const element = document.createElement(name)
  element.textContent = text
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

const fill = (id, children) => at(id).replaceChildren(...children)

const ask = async (path, query = {}) => {
  const entries = Object.entries({ ...query, ...(world ? { scenario: scenario.value } : {}) })
  const parameters = new URLSearchParams(entries.filter(([, value]) => value !== ""))
  const headers = token.value === "" ? {} : { authorization: `Bearer ${token.value}` }
  const response = await fetch(`${path}?${parameters}`, { headers })
  const answer = await response.json().catch(() => ({}))
  if (!response.ok) throw new Error(answer.message || `The service answers ${response.status}.`)
  return answer
}

/** Returns the resource type that the tables use for each word of a resource. */
const kindOf = (resource) => {
  const word = resource.split(":")[0]
  return { repo: "repository", org: "organization" }[word] ?? word
}

const showProblem = (problem) => {
  at("problem").textContent = problem
}

let known = []
let people = []

const suggestActions = () => {
  const kind = kindOf(thing.value)
  const fitting = known.filter((each) => thing.value === "" || each.on === kind)
  fill(
    "actions",
    fitting.map(({ name, summary }) => make("option", summary, { value: name }))
  )
}

const suggest = (some, things) => {
  people = some
  fill(
    "people",
    some.map((name) => make("option", "", { value: name }))
  )
  fill(
    "things",
    things.map((name) => make("option", "", { value: name }))
  )
}

const loadScenario = async () => {
  const { people: some, scenarios, things } = await ask(world)
  if (scenario.options.length === 0)
    fill(
      "scenario",
      scenarios.map((name, place) => make("option", name, { value: place }))
    )
  suggest(some, things)
}

/** Suggests the resources that the forge shows to the caller; others can be typed. */
const loadForge = async () => {
  const [users, repositories, organizations] = await Promise.all(
    [
      ["/users/search", ({ data }) => data],
      ["/repos/search", ({ data }) => data],
      ["/orgs", (rows) => rows]
    ].map(([path, rows]) => ask(`${api}${path}`, { limit: 50 }).then(rows, () => []))
  )
  suggest(
    users.map(({ login }) => login),
    [
      "site",
      ...organizations.map(({ name }) => `org:${name}`),
      ...repositories.map(({ full_name }) => `repo:${full_name}`),
      ...users.map(({ login }) => `user:${login}`)
    ]
  )
}

const showAnswer = ({ allowed, changes, message, path, rules, status, teams, user }) => {
  const who = user === null ? "An anonymous caller" : user.login
  const verdict = allowed ? `may do this` : `may not do this: ${status} ${message}`
  at("decision").textContent = `${who} ${verdict}`
  const by = rules.length === 0 ? "" : `Decided by ${rules.join(", ")}.`
  at("rules").textContent = teams.length === 0 ? by : `${by} Teams that count: ${teams.join(", ")}.`
  fill(
    "path",
    path.map(({ asks, because, passed, stage }) => {
      const step = make("li", `${passed ? "passes" : "stops at"} ${stage}: ${asks}`, {
        class: passed ? "passes" : "stops"
      })
      if (because.length > 0) {
        const reasons = make("ul")
        reasons.append(...because.map((reason) => make("li", reason)))
        step.append(reasons)
      }
      return step
    })
  )
  at("turning").hidden = changes.length === 0
  fill(
    "changes",
    changes.map((change) => make("li", change))
  )
  at("answer").hidden = false
}

const walk = (event, cells) => {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }
  const [down, right] = steps[event.key] ?? []
  const [row, column] = event.target.dataset.place?.split(" ").map(Number) ?? []
  const next = cells[row + down]?.[column + right]
  if (next === undefined) return
  event.preventDefault()
  event.target.tabIndex = -1
  next.tabIndex = 0
  next.focus()
}

const showMatrix = (names, answers) => {
  const rows = answers[0] ?? []
  const cells = rows.map(({ action: name }, row) =>
    names.map((who, column) => {
      const { allowed, status } = answers[column][row]
      const isPicked = name === action.value && who === person.value
      return Object.assign(
        make("td", allowed ? "✓" : String(status), {
          class: allowed ? "yes" : "no",
          "data-place": `${row} ${column}`,
          "aria-label": `${who || "an anonymous caller"}, ${name}: ${allowed ? "allowed" : `refused, ${status}`}`,
          "aria-selected": isPicked
        }),
        {
          tabIndex: row + column === 0 ? 0 : -1,
          onclick: () => {
            person.value = who
            action.value = name
            at("question").requestSubmit()
          }
        }
      )
    })
  )
  const table = make("table", "", { role: "grid", "aria-labelledby": "matrix-title" })
  const head = make("tr")
  head.append(
    make("th", "Action", { scope: "col" }),
    ...names.map((who) => make("th", who || "anonymous", { scope: "col" }))
  )
  table.createTHead().append(head)
  table.createTBody().append(
    ...rows.map(({ action: name }, row) => {
      const line = make("tr")
      line.append(make("th", name, { scope: "row" }), ...cells[row])
      return line
    })
  )
  table.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.target.click()
    else walk(event, cells)
  })
  fill("matrix", [table])
  at("legend").textContent = `All actions on ${thing.value}: ✓ is allowed, a number is the status of a refusal.`
  at("picture").hidden = false
}

const drawMatrix = async (isCurrent) => {
  const some = [...new Set(["", person.value, ...people])].slice(0, mostPeople)
  const asked = await Promise.allSettled(
    some.map((user) => ask(`${api}/access/actions`, { user, resource: thing.value }))
  )
  const found = some.flatMap((who, place) =>
    asked[place].status === "fulfilled" ? [[who, asked[place].value.actions]] : []
  )
  if (isCurrent() && found.length > 0) {
    showMatrix(
      found.map(([who]) => who),
      found.map(([, actions]) => actions)
    )
  }
}

let questions = 0

const submit = async (event) => {
  event.preventDefault()
  questions += 1
  const question = questions
  showProblem("")
  at("picture").hidden = true
  const query = { user: person.value, action: action.value, resource: thing.value }
  history.replaceState(null, "", `#${new URLSearchParams({ ...query, scenario: scenario.value })}`)
  // An answer to an earlier question may arrive later, for example one without the token.
  const isCurrent = () => question === questions
  try {
    const answer = await ask(`${api}/access/explain`, query)
    if (!isCurrent()) return
    showAnswer(answer)
    await drawMatrix(isCurrent)
    if (isCurrent()) at("decision").focus()
  } catch (problem) {
    if (!isCurrent()) return
    at("answer").hidden = true
    showProblem(problem.message)
  }
}

const begin = async () => {
  for (const each of document.querySelectorAll(world ? ".of-forge" : ".of-scenarios")) each.hidden = true
  const load = world ? loadScenario : loadForge
  const loading = () => load().catch((problem) => showProblem(problem.message))
  at("question").addEventListener("submit", submit)
  thing.addEventListener("input", suggestActions)
  scenario.addEventListener("change", loading)
  // The question of the address may have been asked without the token.
  token.addEventListener("change", async () => {
    await loading()
    if (thing.value !== "") at("question").requestSubmit()
  })
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.matches("input, select")) return
    event.preventDefault()
    person.focus()
  })
  known = await (await fetch("explore/actions.json")).json()
  await loading()
  const asked = new URLSearchParams(location.hash.slice(1))
  if (world && asked.has("scenario")) scenario.value = asked.get("scenario")
  if (!asked.has("resource")) return suggestActions()
  person.value = asked.get("user") ?? ""
  thing.value = asked.get("resource")
  action.value = asked.get("action") ?? ""
  suggestActions()
  at("question").requestSubmit()
}

begin()
