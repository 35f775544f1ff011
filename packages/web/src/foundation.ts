export { type Asset, addressOf, serveAsset } from "./assets/Asset.ts"
export { type IconName, icon } from "./assets/icons.ts"
export { script, stylesheet } from "./assets/index.ts"
export { Moved, type OperationOf, type Send, type ServiceAccess, serviceAccess } from "./client/ServiceAccess.ts"
export { type BaseReach, createSite, type Site, type SiteOptions } from "./engine/createSite.ts"
export {
  buttonTo,
  checkField,
  checkGroup,
  type Field,
  formTo,
  problemSummary,
  selectField,
  textArea,
  textField
} from "./forms/fields.ts"
export { problemsOf, rejectedAt } from "./forms/rejected.ts"
export {
  actionButton,
  type FormSection,
  forForm,
  formSection,
  otherProblems,
  typedNameProblem
} from "./forms/sections.ts"
export { type Html, html, nothing, type Part, safeHref, textOf } from "./html/Html.ts"
export {
  card,
  copyField,
  empty,
  linkButton,
  pageNumber,
  pagination,
  rowsPerPage
} from "./layout/components.ts"
export type { Failure } from "./layout/errorViews.ts"
export { tabBar } from "./layout/frames.ts"
export { bytes, number, time } from "./layout/time.ts"
export { pathOf, withQuery } from "./layout/urls.ts"
export { type BasePage, type BaseVisit, NotFound, Redirect, type Submitted, type View } from "./page/BasePage.ts"
export { type FormState, type Problems, typed } from "./page/FormState.ts"
export type { Frame, Tab } from "./page/Frame.ts"
export { cookieNames, makeFormSecret, setCookie } from "./session/cookies.ts"
export { ownPath } from "./session/ownPath.ts"
export type { BaseTexts } from "./texts/BaseTexts.ts"
export * as germanTexts from "./texts/de/common.ts"
export * as englishTexts from "./texts/en/common.ts"
export { type Language, languageOf } from "./texts/language.ts"
