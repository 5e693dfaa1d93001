import type { Answer } from '../../../shared/http/answer.ts';
import { fileNameOf, type Route } from '../../../shared/http/route.ts';
import type { Worker } from '../../../shared/http/worker.ts';

/** A worker's function. */
export type WorkerHandler = (event: unknown, context?: unknown) => Promise<unknown>;
/** An endpoint's function. */
export type RouteHandler = (event: never) => Promise<Answer>;

const FOLDER = '../../../functions';

/** Loads an endpoint's function, once per process. */
export function loadRoute({ resource, id }: Pick<Route, 'resource' | 'id'>): Promise<RouteHandler> {
  return loadHandler(`${resource}/${fileNameOf(id)}.ts`);
}

/** Loads a worker's function, once per process. */
export function loadWorker({ concern, name }: Pick<Worker, 'concern' | 'name'>): Promise<WorkerHandler> {
  return loadHandler(`workers/${concern}/${name}.ts`);
}

/** The module system keeps modules, but looks for them again with each import. */
const handlers = new Map<string, Promise<unknown>>();

function loadHandler<H>(path: string): Promise<H> {
  const loading = handlers.get(path) ?? import(`${FOLDER}/${path}`).then(({ handler }) => handler);
  handlers.set(path, loading);
  // A file exports the handler of its kind.
  return loading as Promise<H>;
}
