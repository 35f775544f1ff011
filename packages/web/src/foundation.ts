export { type Asset, addressOf, assetOf } from "./assets/Asset.ts"
export { type IconName, icon } from "./assets/icons.ts"
export { type OperationOf, type Send, type ServiceAccess, serviceAccess } from "./client/ServiceAccess.ts"
export { type BaseReach, createSite, type Site, type SiteOptions } from "./engine/createSite.ts"
export {
  buttonTo,
  checkField,
  type Field,
  fileField,
  formTo,
  problemSummary,
  selectField,
  textArea,
  textField,
  uploadForm
} from "./forms/fields.ts"
export {
  actionButton,
  type FormSection,
  formSection,
  otherProblems,
  typedNameProblem
} from "./forms/sections.ts"
export { type Html, html, nothing, safeHref } from "./html/Html.ts"
export {
  card,
  copyField,
  empty,
  linkButton,
  pageNumber,
  pagination,
  rowsPerPage
} from "./layout/components.ts"
export { documentOf, type Shell } from "./layout/shell.ts"
export { bytes, number, time } from "./layout/time.ts"
export { pathOf, withQuery } from "./layout/urls.ts"
export { type BasePage, type BaseVisit, NotFound, Redirect, type Submitted, type View } from "./page/BasePage.ts"
export { type FormState, type Problems, typed } from "./page/FormState.ts"
export type { Frame, Tab } from "./page/Frame.ts"
export type { BaseTexts } from "./texts/BaseTexts.ts"
export * as germanTexts from "./texts/de/common.ts"
export * as englishTexts from "./texts/en/common.ts"
export type { Language } from "./texts/language.ts"
