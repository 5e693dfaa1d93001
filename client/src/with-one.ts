/** `T` with at least one of the named fields. */
export type WithOne<T, Name extends keyof T> = Name extends unknown ? T & Required<Pick<T, Name>> : never;
