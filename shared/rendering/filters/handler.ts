import type { FilterImplOptions } from 'liquidjs';

/** The function of a filter: its value, then its arguments. */
export type Handler = Extract<FilterImplOptions, (...arguments_: never[]) => unknown>;

export type FilterCall = ThisParameterType<Handler>;
