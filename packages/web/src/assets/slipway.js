// Optional features only: every page works without it.
const each = (selector, act) => {
  for (const element of document.querySelectorAll(selector)) act(element)
}

each("[data-focus]", (element) => element.focus())

each("time[datetime]", (element) => {
  const at = new Date(element.dateTime)
  element.title = at.toLocaleString(document.documentElement.lang, { dateStyle: "full", timeStyle: "long" })
})

each("button[data-copy]", (button) => {
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy)
    const label = button.querySelector("span")
    const before = label.textContent
    label.textContent = button.dataset.done
    setTimeout(() => {
      label.textContent = before
    }, 2000)
  })
})

const isTyping = (element) => element.matches("input, textarea, select, [contenteditable]")

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const field = document.querySelector("#site-search")
  if (field === null) return
  event.preventDefault()
  field.focus()
})
