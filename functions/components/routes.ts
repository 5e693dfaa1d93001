import * as v from 'valibot';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { type Route, route } from '../../shared/http/rows/route.ts';
import { Component, ComponentChange, NewComponent } from '../../shared/schemas/content/component.ts';
import { Limit } from '../../shared/schemas/fields/list.ts';
import { Id } from '../../shared/schemas/fields/text.ts';

const exampleComponent = {
  envId: 'x7Yc2LmN0pQrStUv',
  componentId: 'footer',
  name: 'Footer',
  internal: '',
  internalPage: '',
  html: '<p>Example Ltd · <a href="{{ unsubscribe_url }}">Unsubscribe</a></p>',
  createdAt: '2026-11-21T08:30:00.000Z',
  modifiedAt: '2026-11-21T08:30:00.000Z',
  referencedBy: [{ notificationId: 'new-comment', channel: 'EMAIL', templateId: 'default' }],
  channel: 'EMAIL',
};

const componentPath = v.object({ componentId: Id });

const EMBED_TEXT =
  "Templates embed it with {% component 'id' %} in the html of emails. html is Liquid and is checked; it may itself embed up to 20 existing components, at most three deep, without cycles. internal and internalPage are the editor's representation.";

const row = { access: SERVER_ACCESS } as const satisfies Partial<Route>;

export const listComponentsRoute = route({
  ...row,
  id: 'listComponents',
  method: 'GET',
  etag: 'list',
  path: '/components',
  query: v.object({ limit: v.optional(Limit), cursor: v.optional(v.string()) }),
  response: {
    kind: 'json',
    body: v.object({ components: v.array(Component), nextCursor: v.optional(v.string()) }),
  },
  grants: { table: ['get', 'put', 'query', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: 'List the email components of the environment',
  description: 'Sorted by ID. A page has fewer than limit components if they are large.',
  example: { response: { components: [exampleComponent] } },
});

export const createComponentRoute = route({
  ...row,
  id: 'createComponent',
  method: 'POST',
  etag: 'component',
  path: '/components',
  body: NewComponent,
  idempotent: true,
  response: { kind: 'json', body: Component },
  grants: { table: ['get', 'batchGet', 'query', 'put', 'update', 'check'] },
  summary: 'Create an email component',
  description: `Without componentId, the component gets a generated ID. ${EMBED_TEXT}`,
  example: {
    request: { componentId: 'footer', name: 'Footer', html: exampleComponent.html },
    response: { ...exampleComponent, referencedBy: [] },
  },
  errors: ['DUPLICATE_RESOURCE', 'INVALID_TEMPLATE'],
});

export const getComponentRoute = route({
  ...row,
  id: 'getComponent',
  method: 'GET',
  etag: 'component',
  path: '/components/{componentId}',
  pathParameters: componentPath,
  response: { kind: 'json', body: Component },
  grants: { table: ['get', 'query', 'update'] },
  summary: 'Get an email component',
  description: 'referencedBy lists the templates that embed it, directly or through other components.',
  example: { response: exampleComponent },
  errors: ['RESOURCE_NOT_FOUND'],
});

export const updateComponentRoute = route({
  ...row,
  id: 'updateComponent',
  method: 'PATCH',
  etag: 'component',
  path: '/components/{componentId}',
  pathParameters: componentPath,
  body: ComponentChange,
  response: { kind: 'json', body: Component },
  grants: { table: ['get', 'batchGet', 'query', 'put', 'update', 'check'] },
  summary: 'Change an email component',
  description:
    'Absent fields stay unchanged. Emails delivered from now on show the change. html is Liquid and is checked; it may embed up to 20 existing components, at most three deep, without cycles.',
  example: {
    request: { name: 'Page footer' },
    response: { ...exampleComponent, name: 'Page footer', modifiedAt: '2026-11-22T10:00:00.000Z' },
  },
  errors: ['RESOURCE_NOT_FOUND', 'INVALID_TEMPLATE'],
});

export const deleteComponentRoute = route({
  ...row,
  id: 'deleteComponent',
  method: 'DELETE',
  etag: 'component',
  path: '/components/{componentId}',
  pathParameters: componentPath,
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'query', 'put', 'update', 'delete'] },
  summary: 'Delete an email component',
  description: 'Fails with RESOURCE_IN_USE while a template or another component embeds it.',
  example: { response: { message: 'The component is deleted.' } },
  errors: ['RESOURCE_NOT_FOUND', 'RESOURCE_IN_USE'],
});
