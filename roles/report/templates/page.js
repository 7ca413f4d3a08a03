// Filters and sorts what the page has, and tells the reader's own time. Without scripts, the page has all of it.
(() => {
  // The time is given in UTC. The reader's own stands beside it, if it differs.
  const read = new Date(document.querySelector("time").dateTime);
  if (read.getTimezoneOffset()) {
    document.getElementById("own").textContent = ` (${read.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" })} here)`;
  }

  const groups = (address) => {
    if (address.includes(":")) {
      // Browsers disagree on an IPv4 address at the end with leading zeros.
      const last = address.slice(address.lastIndexOf(":") + 1);
      if (last.includes(".") && !groups(last)) {
        return null;
      }
      try {
        const [start, end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::").map((half) => half.split(":").filter(Boolean));
        return end ? [...start, ...Array(8 - start.length - end.length).fill("0"), ...end] : start;
      } catch {
        return null;
      }
    }
    const bytes = address.split(".").map(Number);
    const isCanonical = bytes.join(".") === address && bytes.length === 4 && bytes.every((byte) => byte < 256);
    return isCanonical ? ["0", "0", "0", "0", "0", "ffff", ...[0, 2].map((at) => (bytes[at] * 256 + bytes[at + 1]).toString(16))] : null;
  };
  // As in plugins/module_utils/_internal/model/access.py: numbers of IPv6, in which an IPv4 address is the one mapped to it.
  const spanOf = (text) => {
    const [, address, length] = /^([0-9a-f:.]+)(?:[/]([0-9]{1,3}))?$/i.exec(text) || [];
    const found = address && groups(address);
    const bits = address && address.includes(":") ? 128 : 32;
    if (!found || Number(length || 0) > bits) {
      return null;
    }
    const size = 1n << BigInt(bits - Number(length || bits));
    const first = BigInt(`0x${found.map((group) => group.padStart(4, "0")).join("")}`) / size * size;
    return [first, first + size - 1n];
  };

  const form = document.getElementById("search");
  const fold = (text) => text.normalize("NFC").toLowerCase();
  const volumeOf = (element) => fold(element.closest("[data-volume]")?.dataset.volume || "");
  const rows = [...document.querySelectorAll("tbody tr:not(.group)")].map((element) => {
    const { first, last } = element.dataset;
    const volume = volumeOf(element);
    const lets = element.closest(".access") ? ([from, to]) => !first || (BigInt(first) <= to && BigInt(last) >= from) : () => false;
    return { element, volume, lets, isUnknown: !first, text: fold(`${volume} ${element.textContent}`) };
  });
  const places = [...document.querySelectorAll("nav a, article")].map((element) => ({ element: element.closest("li") || element, volume: volumeOf(element) }));
  const links = [...document.querySelectorAll("nav a")];
  const names = new Set(places.map((place) => place.volume));
  const bodies = document.querySelectorAll("tbody");
  const parts = [...document.querySelectorAll("details")].map((element) => ({ element, isOpen: element.open }));
  const counts = [...document.querySelectorAll("summary data, .group data, header strong")].map((element) => ({
    element, all: element.textContent, rows: element.dataset.rows
      ? document.querySelectorAll(element.dataset.rows) : (element.closest("tbody") || element.closest("details")).querySelectorAll("tbody tr:not(.group)"),
  }));
  const sections = document.querySelectorAll("section");
  const all = document.querySelectorAll(".access tbody tr:not(.group)").length;

  const isEmpty = (element) => !element.querySelector("tbody tr:not(.group, [hidden]), article:not([hidden])");
  const filter = () => {
    const text = fold(form.filter.value.trim());
    const spans = text.split(/\s+/).map(spanOf).filter(Boolean);
    const words = text.split(/\s+/).filter((word) => !spanOf(word));
    // The name of a volume means that one, any other text whatever has its words.
    const isOne = names.has(words.join(" "));
    const matches = (found) => words.every((word) => found.includes(word));
    const isMeant = (volume) => (isOne ? volume === words.join(" ") : !spans.length && matches(volume));
    const isShown = (row) => spans.every(row.lets) && (isOne ? isMeant(row.volume) : matches(row.text));
    const reached = new Set();
    let shown = 0, unknown = 0;
    for (const row of rows) {
      row.element.hidden = !isShown(row);
      if (!row.element.hidden) {
        reached.add(row.volume);
        shown += 1;
        unknown += row.isUnknown;
      }
    }
    for (const { element, volume } of places) {
      element.hidden = !reached.has(volume) && !isMeant(volume);
    }
    for (const link of links) {
      link.ariaCurrent = isOne && isMeant(volumeOf(link)) ? "true" : null;
    }
    for (const body of bodies) {
      body.hidden = isEmpty(body);
    }
    for (const { element, isOpen } of parts) {
      (element.closest("div.alert") || element).hidden = isEmpty(element);
      element.open = text ? true : isOpen;
    }
    for (const { element, all, rows } of counts) {
      const left = [...rows].filter((row) => !row.hidden).length;
      element.textContent = left < rows.length ? `${left} of ${all}` : all;
    }
    for (const section of sections) {
      section.hidden = Boolean(text) && isEmpty(section);
    }
    document.body.classList.toggle("filtered", Boolean(text));
    form.found.value = !text ? "" : spans.length ? `${shown} of ${all} let it in${unknown ? `, ${unknown} of them perhaps` : ""}.` : `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows.`;
  };
  const show = (text) => {
    form.filter.value = text;
    filter();
  };
  // Somebody may have typed it.
  const decode = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const readLink = () => {
    // A link can carry it: report.html#address=10.1.2.3
    const [, text] = /^#(?:address|filter)=(.*)$/.exec(location.hash) || [];
    if (text !== undefined) {
      show(decode(text));
    }
  };
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", filter);
  window.addEventListener("hashchange", readLink);
  for (const link of links) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const { volume } = link.dataset;
      show(fold(form.filter.value.trim()) === fold(volume) ? "" : volume);
      document.querySelector("main").scrollIntoView();
    });
  }
  // The sections that these lead to may be filtered away.
  for (const link of document.querySelectorAll("header a")) {
    link.addEventListener("click", () => show(""));
  }
  filter();
  readLink();

  const collator = new Intl.Collator("en", { numeric: true });
  const valueOf = (row, at) => row.cells[at]?.dataset.value ?? row.cells[at]?.textContent.replaceAll(",", "") ?? "";
  const compare = (one, other) => (isNaN(one) || isNaN(other) || one === "" || other === "" ? collator.compare(one, other) : one - other);
  for (const head of document.querySelectorAll("thead th:not(.text)")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const sign = head.ariaSort === "ascending" ? -1 : 1;
      for (const other of head.parentNode.children) {
        other.removeAttribute("aria-sort");
      }
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      for (const body of head.closest("table").tBodies) {
        const sorted = [...body.rows].filter((row) => row.className !== "group").map((row) => [valueOf(row, head.cellIndex), row]);
        sorted.sort(([one], [other]) => sign * compare(one, other));
        body.append(...sorted.map(([, row]) => row));
      }
    });
  }
})();
