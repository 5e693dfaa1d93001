import type { HttpResponse } from '../../../shared/http/endpoint/response.ts';
import { fileNameOf, type ListedRoute } from '../../../shared/http/rows/route.ts';
import type { Worker } from '../../../shared/http/rows/worker.ts';

export type WorkerHandler = (event: unknown, context?: unknown) => Promise<unknown>;
export type RouteHandler = (event: never) => Promise<HttpResponse>;

export function loadRoute({ resource, id }: Pick<ListedRoute, 'resource' | 'id'>): Promise<RouteHandler> {
  return loadHandler(`${resource}/${fileNameOf(id)}`);
}

/** Loads a worker's function, once per process. */
export function loadWorker({ concern, name }: Pick<Worker, 'concern' | 'name'>): Promise<WorkerHandler> {
  return loadHandler(`workers/${concern}/${name}`);
}

/** The module system keeps modules, but looks for them again with each import. */
const handlers = new Map<string, Promise<unknown>>();

function loadHandler<H>(path: string): Promise<H> {
  const loading =
    handlers.get(path) ??
    // Vite would look one folder deep only; esbuild packs all of them.
    import(/* @vite-ignore */ `../../../functions/${path}.ts`).then(({ handler }) => handler);
  handlers.set(path, loading);
  // A file exports the handler of its kind.
  return loading as Promise<H>;
}
