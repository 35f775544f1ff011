const upward = document.documentElement.dataset.top
const query = document.getElementById("query")
const count = document.getElementById("count")
const found = document.getElementById("found")

let loading
/** Loads the index on first use, as a script, so that it works for pages opened as files. */
const index = () => {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script")
    script.src = `${upward}search-index.js`
    script.onload = () => resolve(MiniSearch.loadJS(window.searchIndex.index, window.searchIndex.options))
    script.onerror = reject
    document.head.append(script)
  })
  return loading
}

const itemOf = ({ heading, id, start, title }) => {
  const item = document.createElement("li")
  const link = document.createElement("a")
  link.href = upward + id
  link.textContent = heading === "" || heading === title ? title : `${title}: ${heading}`
  const text = document.createElement("span")
  text.textContent = start
  item.append(link, text)
  return item
}

const search = async () => {
  const text = query.value.trim()
  const all =
    text === ""
      ? []
      : (await index()).search(text, { prefix: true, fuzzy: 0.1, combineWith: "AND", boost: { title: 4, heading: 3 } })
  // The query may have changed meanwhile.
  if (query.value.trim() !== text) return
  found.replaceChildren(...all.slice(0, 12).map(itemOf))
  found.hidden = all.length === 0
  count.textContent = text === "" ? "" : all.length === 1 ? "1 place" : `${all.length} places`
}

query.addEventListener("input", search)
query.form.addEventListener("submit", async (event) => {
  event.preventDefault()
  await search()
  found.querySelector("a")?.click()
})
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    query.value = ""
    search()
  }
  if (event.key !== "/" || event.target === query) return
  event.preventDefault()
  query.focus()
})
