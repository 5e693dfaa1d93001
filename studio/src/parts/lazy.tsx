import type { ComponentType } from 'preact';
import { noteDown, whenUp } from '../state/connection.ts';
import { Skeleton, useLoaded } from './basics.tsx';

const loads: (() => Promise<unknown>)[] = [];

/** A view that is loaded when it is opened, or once the page is idle: from then on it also opens without the service. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  loads.push(load);
  return function Lazy(props: P) {
    const { value: View } = useLoaded(() => load().catch(reloadWhenUp), []);
    return View ? <View {...props} /> : <Skeleton />;
  };
}

/** Browsers keep the failure of an import, and a service of another version has other files. */
async function reloadWhenUp(): Promise<never> {
  noteDown();
  await whenUp();
  location.reload();
  return new Promise(() => {});
}

export const loadAll = () => Promise.allSettled(loads.map((load) => load()));
