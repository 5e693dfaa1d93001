import { describeFields } from '../fields/field-texts.ts';
import { Component, ComponentChange, NewComponent } from './component.ts';

describeFields(Component, {
  envId: 'The environment.',
  componentId: 'The ID of the component.',
  name: 'The name of the component.',
  internal: "The editor's representation.",
  internalPage: "The editor's representation of the page.",
  html: 'The HTML, as Liquid; templates embed it with {% component %}.',
  createdAt: 'Creation time.',
  updatedAt: 'Time of the last change.',
  updatedBy: 'The ID of the member or key that made it.',
  modifiedAt: 'Time of the last change.',
  referencedBy: [
    'The templates that embed it.',
    {
      notificationId: 'The ID of the notification type.',
      channel: 'Always EMAIL.',
      templateId: 'The ID of the template.',
    },
  ],
  channel: 'Always EMAIL.',
});

describeFields(ComponentChange, {}, Component);

describeFields(NewComponent, {}, Component);
