import {
  type ComponentRefusal,
  componentState,
} from '../../shared/database/entities/content/component-changes.ts';
import type { Reference, StoredComponent } from '../../shared/database/entities/content/components.ts';
import { datesOf, noteState } from '../../shared/database/items/edition.ts';
import { COMPONENT_DEPTH_MAX } from '../../shared/domain/content/component-graph.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError, type ErrorCode, type ErrorDetails } from '../../shared/runtime/errors.ts';
import type { Component } from '../../shared/schemas/content/component.ts';
import { TOO_LARGE, UNKNOWN_COMPONENT } from '../templates/refusals.ts';

export function componentResponse(
  environmentId: string,
  component: StoredComponent,
  referencedBy: readonly Reference[],
): Component {
  noteState('component', componentState(component));
  const { modifiedAtMs } = component;
  return {
    envId: environmentId,
    componentId: component.componentId,
    name: component.name,
    internal: component.internal,
    internalPage: component.internalPage,
    html: component.html,
    createdAt: isoOf(component.createdAtMs),
    ...datesOf({ ...component, updatedAtMs: modifiedAtMs }),
    modifiedAt: isoOf(modifiedAtMs),
    referencedBy: [...referencedBy],
    channel: 'EMAIL',
  };
}

const REFUSALS: Record<ComponentRefusal, [ErrorCode, ErrorDetails]> = {
  'not-found': [
    'RESOURCE_NOT_FOUND',
    {
      message: 'The component does not exist in this environment.',
      fix: 'GET /components lists the components with their IDs.',
    },
  ],
  duplicate: [
    'DUPLICATE_RESOURCE',
    {
      message: 'A component with this ID already exists.',
      fix: 'Change it with PATCH /components/{componentId}, or choose another componentId.',
    },
  ],
  'too-large': TOO_LARGE,
  'no-component': UNKNOWN_COMPONENT,
  cycle: [
    'INVALID_TEMPLATE',
    {
      message: 'The component would embed itself, directly or through others.',
      path: 'html',
      fix: 'Remove the component tag that leads back to this component from the html.',
    },
  ],
  depth: [
    'INVALID_TEMPLATE',
    {
      message: `Components would be embedded in one another more than ${COMPONENT_DEPTH_MAX} deep.`,
      path: 'html',
      fix: 'Move the html of an inner component into the component that embeds it.',
    },
  ],
  full: [
    'INVALID_REQUEST',
    {
      message: 'The environment has reached the limit of components that embed others.',
      fix: 'Delete components that are no longer used, or embed fewer.',
    },
  ],
};

export function refusalOf(refusal: ComponentRefusal): AppError {
  return new AppError(...REFUSALS[refusal]);
}
