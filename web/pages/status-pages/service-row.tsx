import { useState, type DragEvent, type ReactNode } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { Choose, Input } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';
import type { Service } from './arrangement.ts';
import { ServiceAutomatic } from './show-automatic.tsx';

const DISPLAYS = ['bar', 'figure', 'response_time'] as const;

/** One service of a page: moved by its handle or its buttons, its settings below when opened. */
export function ServiceRow({
  service,
  name,
  monitorName,
  isDragged,
  onDrag,
  dropTarget,
  onStep,
  onChange,
  onRemove,
}: {
  service: Service;
  /** Name that visitors see. */
  name: string;
  monitorName: string;
  isDragged: boolean;
  onDrag: (monitorId: number | null) => void;
  dropTarget: { onDragOver: (event: DragEvent) => void; onDrop: (event: DragEvent) => void };
  onStep: (by: -1 | 1) => void;
  onChange: (service: Service) => void;
  onRemove: () => void;
}): ReactNode {
  const w = words.statusPages;
  const [isOpen, setOpen] = useState(false);
  const field = `monitors.${service.monitorId}`;
  return (
    <li className={isDragged ? 'sp-service dragged' : 'sp-service'} {...dropTarget}>
      <div
        className="sp-service-line"
        draggable={!isOpen}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData('text/plain', name);
          onDrag(service.monitorId);
        }}
        onDragEnd={() => onDrag(null)}
      >
        <span className="sp-grip">
          <Icon name="menu" />
        </span>
        <span className="clip sp-grow" title={name}>
          {name}
          {monitorName !== name && <span className="xs faint"> {monitorName}</span>}
        </span>
        <IconButton look="ghost" icon="up" label={w.moveUp(name)} onClick={() => onStep(-1)} />
        <IconButton look="ghost" icon="down" label={w.moveDown(name)} onClick={() => onStep(1)} />
        <IconButton
          look="ghost"
          icon="edit"
          label={w.editNamed(name)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton look="ghost" icon="cross" label={w.takeOff(name)} onClick={onRemove} />
      </div>
      {isOpen && (
        <div className="sp-service-settings">
          <Input
            name={`${field}.label`}
            label={w.label}
            placeholder={monitorName}
            value={service.label}
            maxLength={100}
            onChange={(label) => onChange({ ...service, label })}
          />
          <Choose
            name={`${field}.display`}
            label={w.display}
            value={service.display}
            onChange={(display) => onChange({ ...service, display: display as Service['display'] })}
            options={DISPLAYS.map((value) => ({ value, text: w.displays[value] }))}
          />
          <ServiceAutomatic
            name={`${field}.show_automatic`}
            value={service.showAutomatic}
            onChange={(showAutomatic) => onChange({ ...service, showAutomatic })}
          />
        </div>
      )}
    </li>
  );
}
