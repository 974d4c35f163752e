import { vi } from 'vitest';

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
// Lumino derives a class from it while loading; jsdom has none.
vi.stubGlobal('DragEvent', class extends MouseEvent {});
