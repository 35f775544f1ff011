const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Escapes a text for HTML or XML, in attributes too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (each) => escapes[each] ?? each)
