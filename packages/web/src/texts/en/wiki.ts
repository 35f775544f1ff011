/** Texts of the wiki pages. */
export const wiki = {
  pages: "Pages",
  newPage: "New page",
  edit: "Edit",
  history: "History",
  title: "Title",
  content: "Content",
  message: "Message",
  save: "Save changes",
  delete: "Delete page",
  deleteWhat: (title: string) => `This removes the page ${title}. Its history stays.`,
  cancel: "Cancel",
  empty: "This wiki has no pages.",
  lastChange: "changed",
  noHistory: "No changes.",
  more: "Sidebar"
}
