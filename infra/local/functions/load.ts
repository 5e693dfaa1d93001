import type { Answer } from '../../../shared/http/answer.ts';
import { fileNameOf, type Route } from '../../../shared/http/route.ts';
import type { Worker } from '../../../shared/http/worker.ts';

/** A worker's function. */
export type WorkerHandler = (event: unknown, context?: unknown) => Promise<unknown>;
/** An endpoint's function. */
export type RouteHandler = (event: never) => Promise<Answer>;

const FOLDER = '../../../functions';

/** Loads an endpoint's function; once per process, as the module system does. */
export async function loadRoute({ resource, id }: Pick<Route, 'resource' | 'id'>): Promise<RouteHandler> {
  const { handler }: { handler: RouteHandler } = await import(`${FOLDER}/${resource}/${fileNameOf(id)}.ts`);
  return handler;
}

/** Loads a worker's function; once per process, as the module system does. */
export async function loadWorker({
  concern,
  name,
}: Pick<Worker, 'concern' | 'name'>): Promise<WorkerHandler> {
  const { handler }: { handler: WorkerHandler } = await import(`${FOLDER}/workers/${concern}/${name}.ts`);
  return handler;
}
