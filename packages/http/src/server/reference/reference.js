// Shows the forms for trying operations, which need JavaScript, and sends their requests.
const credentials = document.querySelector("form.credentials")
const field = (id) => document.getElementById(id)?.value ?? ""

const authorization = () => {
  const secret = field("credentials:secret")
  const name = field("credentials:name")
  if (secret === "") return {}
  const bytes = new TextEncoder().encode(`${name}:${secret}`)
  return { authorization: name === "" ? `Bearer ${secret}` : `Basic ${btoa(String.fromCharCode(...bytes))}` }
}

const addressOf = (form) => {
  let path = form.dataset.path
  const query = new URLSearchParams()
  for (const { dataset, value } of form.querySelectorAll("input")) {
    const { in: place, name } = dataset
    if (place === "path") path = path.replace(`{${name}}`, value.split("/").map(encodeURIComponent).join("/"))
    else if (place === "query" && value !== "") query.append(name, value)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

const formatted = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const send = async (form) => {
  const body = form.querySelector("textarea")?.value
  const response = await fetch(addressOf(form), {
    method: form.dataset.method,
    credentials: "omit",
    headers: { ...authorization(), ...(body === undefined ? {} : { "content-type": "application/json" }) },
    body
  })
  return { line: `Status: ${response.status} ${response.statusText}`, text: formatted(await response.text()) }
}

const longest = 100_000

const show = (output, line, text) => {
  const head = document.createElement("p")
  head.textContent = line
  output.replaceChildren(head)
  if (text === "") return
  const block = document.createElement("pre")
  block.tabIndex = 0
  block.setAttribute("aria-label", "Body of the response")
  block.textContent = text.length > longest ? `${text.slice(0, longest)}\n… (cut)` : text
  output.append(block)
}

if (credentials !== null) {
  credentials.hidden = false
  credentials.addEventListener("submit", (event) => event.preventDefault())
}
for (const trial of document.querySelectorAll("details.trial")) {
  trial.hidden = false
  const form = trial.querySelector("form")
  const output = form.querySelector("output")
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    show(output, "Sending …", "")
    try {
      const { line, text } = await send(form)
      show(output, line, text)
    } catch (error) {
      show(output, `The request failed: ${error.message}`, "")
    }
  })
}
