"use strict";
// Two clicks are one: a form that was sent cannot be sent again until the page is there.
document.addEventListener("submit", (sent) => {
  const form = sent.target;
  if (form.dataset.sent) { sent.preventDefault(); return; }
  form.dataset.sent = "yes";
  if ("download" in form.dataset) setTimeout(() => delete form.dataset.sent, 2000); // the page stays
});
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// Uploads: how far it is, for eyes and ears, and a way to stop. Without script the form is sent as any other.
document.addEventListener("submit", (sent) => {
  const form = sent.target, file = form.matches("[data-upload]") ? form.querySelector("input[type=file]") : null;
  if (sent.defaultPrevented || !file || !file.files.length || !file.offsetParent) return;
  sent.preventDefault();
  const shown = form.querySelector(".sending"), said = shown.querySelector("[role=status]");
  const bar = shown.querySelector("progress"), button = form.querySelector(".do button");
  const request = new XMLHttpRequest();
  const stop = () => request.abort();
  const ended = (words) => {
    said.textContent = words;
    bar.value = 0;
    button.disabled = false;
    delete form.dataset.sent;
    shown.querySelector("button").removeEventListener("click", stop);
  };
  let told = -1;
  request.upload.addEventListener("progress", (now) => {
    if (!now.lengthComputable) return;
    bar.value = Math.floor(100 * now.loaded / now.total);
    const tenth = Math.floor(bar.value / 10) * 10;
    if (tenth > told) said.textContent = `${form.dataset.sending} ${told = tenth}%`;
  });
  request.upload.addEventListener("load", () => { bar.value = 100; said.textContent = form.dataset.sentAll; });
  request.addEventListener("abort", () => ended(form.dataset.stopped));
  request.addEventListener("error", () => ended(form.dataset.failed));
  request.addEventListener("load", () => {
    if (request.responseURL !== form.action) { window.location.assign(request.responseURL); return; }
    if (request.status === 413) { ended(form.dataset.tooLarge); return; }
    const answer = new DOMParser().parseFromString(request.responseText, "text/html").querySelector("main");
    if (!answer) { ended(form.dataset.failed); return; }
    document.querySelector("main").replaceWith(answer);
    (answer.querySelector("[aria-invalid=true], .errors") || answer).scrollIntoView();
  });
  shown.hidden = false;
  const size = Array.from(file.files).reduce((sum, each) => sum + each.size, 0);
  if (size > Number(form.dataset.most || Infinity)) { ended(form.dataset.tooLarge); return; }
  button.disabled = true;
  shown.querySelector("button").addEventListener("click", stop);
  request.open("POST", form.action);
  request.send(new FormData(form));
});

// What was refused as a whole has no fragment to show: the button knows what to say.
document.addEventListener("htmx:responseError", (answer) => {
  const { elt, target } = answer.detail;
  if (elt.dataset.refused) target.textContent = elt.dataset.refused;
});

// What was drawn was another kind of hierarchy.
document.addEventListener("change", (made) => {
  if (made.target.matches(".kinds [name=kind]")) document.getElementById("drawn")?.replaceChildren();
});

// A slider beside a number: either moves the other. Without script there is the number.
for (const slider of document.querySelectorAll("input.slider")) {
  const number = document.getElementById(slider.dataset.for);
  const mark = document.documentElement.lang.startsWith("pt") && number.type === "text" ? "," : ".";
  const follow = () => { slider.value = number.value.replace(",", "."); };
  slider.setAttribute("aria-label", number.labels[0].firstChild.textContent);
  slider.addEventListener("input", () => { number.value = slider.value.replace(".", mark); });
  number.addEventListener("input", follow);
  number.classList.add("slid");
  follow();
  slider.hidden = false;
}
