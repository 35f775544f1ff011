import { Schema } from "effect"
import { newPasswordProblem, passwordTextProblem } from "../../../sign-in/passwords.ts"
import { isTokenText } from "./AccessToken.ts"

const tokenProblem = (password: string): string | undefined =>
  isTokenText(password) ? "must not have the form of an access token" : undefined

/** Returns why a text cannot be a password of any user; undefined if it can. */
export const passwordFormProblem = (password: string): string | undefined =>
  passwordTextProblem(password) ?? tokenProblem(password)

/** Returns the error message for a new password of invalid form (such as too short); undefined if the form is valid. */
export const passwordProblem = (password: string): string | undefined =>
  newPasswordProblem(password) ?? tokenProblem(password)

/** The schema of a new password in a request. */
export const NewPassword = Schema.String.check(Schema.makeFilter((text: string) => passwordProblem(text)))
